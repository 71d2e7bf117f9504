/** Makes a target fail with this message. */
export function fail(message: string): never {
  throw new Error(message);
}
