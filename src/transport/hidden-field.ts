/**
 * A field for the objects of public classes. It is not part of its owner's type, and is not listed among its
 * properties. A `#field` would be part of the type: then the classes of two copies of the package (CommonJS beside ESM,
 * two versions in one tree) would be incompatible. A `#field` would also fail behind a `Proxy`, and some frameworks wrap
 * objects in one to observe them.
 */
/* @__NO_SIDE_EFFECTS__ */
export function hiddenField<Value>(name: string) {
  const key = Symbol(name);
  return {
    // Stored as a function, so that even an inspection of hidden properties does not show the value.
    set: (owner: object, value: Value) => void Object.defineProperty(owner, key, { value: () => value }),
    get: (owner: object): Value => (owner as Record<typeof key, () => Value>)[key]?.() as Value,
  };
}
