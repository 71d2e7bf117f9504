/**
 * Takes the place of `load-ky.ts` in the build for Node (see tsup.config.ts). Importing the package does not load ky;
 * the first call does.
 */
import type { Ky } from "./load-ky.js";

export const loadKy = async (): Promise<Ky> => (await import("ky")).default;
