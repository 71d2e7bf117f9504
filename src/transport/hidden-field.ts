/** What an object of a published class knows without showing it. */
export interface HiddenField<Value> {
  set(owner: object, value: Value): void;
  get(owner: object): Value;
}

/**
 * A field that neither the type of its owner nor anything that lists properties shows. A `#field` would be part of the
 * type, and make the class of one copy of the package a stranger to that of another (CommonJS beside ESM, two versions
 * in one tree). It would also break behind a `Proxy`, through which some frameworks watch objects.
 */
/* @__NO_SIDE_EFFECTS__ */
export function hiddenField<Value>(name: string): HiddenField<Value> {
  const key = Symbol(name);
  return {
    // A function, so that not even an inspection of hidden properties comes upon the value.
    set: (owner, value) => void Object.defineProperty(owner, key, { value: () => value }),
    get: (owner) => (owner as Record<typeof key, () => Value>)[key]?.() as Value,
  };
}
