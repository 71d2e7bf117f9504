/** For each room of `src`, the rooms that it may import. */
export const ROOMS: Readonly<Record<string, readonly string[]>>;
