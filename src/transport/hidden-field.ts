/**
 * A field for the objects of public classes. A `#field` would be part of the type: then the classes of two copies of the
 * package (CommonJS beside ESM) would be incompatible. It would also fail behind a `Proxy`, in which some frameworks wrap
 * objects. The symbol is of the global registry, so a function of one copy, such as `syncMeetings`, reads the options of
 * a client of another copy.
 */
/* @__NO_SIDE_EFFECTS__ */
export function hiddenField<Value>(name: string) {
  const key = Symbol.for(`notetaker-sdk.${name}`);
  return {
    // Stored as a function, so that even an inspection of hidden properties does not show the value.
    set: (owner: object, value: Value) => void Object.defineProperty(owner, key, { value: () => value }),
    get: (owner: object): Value => (owner as Record<symbol, () => Value>)[key]?.() as Value,
  };
}
