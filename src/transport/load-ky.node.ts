/** Takes the place of `load-ky.ts` in the build for Node (tsup.config.ts): the first call loads ky. */
import type { Ky } from "./load-ky.js";

export const loadKy = async (): Promise<Ky> => (await import("ky")).default;
