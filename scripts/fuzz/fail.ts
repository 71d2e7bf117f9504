/** Ends a target with what is wrong. */
export function fail(message: string): never {
  throw new Error(message);
}
