/** Hidden fields for the objects of public classes. */
export interface HiddenField<Value> {
  set(owner: object, value: Value): void;
  get(owner: object): Value;
}

/**
 * A field that is not part of its owner's type and is not listed among its properties. A `#field` would be part of the
 * type: then the classes of two copies of the package (CommonJS beside ESM, two versions in one tree) would be
 * incompatible. A `#field` would also fail behind a `Proxy`, and some frameworks wrap objects in one to observe them.
 */
/* @__NO_SIDE_EFFECTS__ */
export function hiddenField<Value>(name: string): HiddenField<Value> {
  const key = Symbol(name);
  return {
    // Stored as a function, so that even an inspection of hidden properties does not show the value.
    set: (owner, value) => void Object.defineProperty(owner, key, { value: () => value }),
    get: (owner) => (owner as Record<typeof key, () => Value>)[key]?.() as Value,
  };
}
