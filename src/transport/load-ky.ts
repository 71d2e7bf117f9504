import ky from "ky";

export type Ky = typeof ky;

export const loadKy = (): Ky | Promise<Ky> => ky;
