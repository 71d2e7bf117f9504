/** Loads ky. The build for Node replaces this file with `load-ky.node.ts`, which loads ky at the first call. */
import ky from "ky";

export type Ky = typeof ky;

export const loadKy = (): Ky | Promise<Ky> => ky;
