/** A `#field` fails behind a `Proxy`, and is of one copy of the package: a registered symbol is read by another. */
/* @__NO_SIDE_EFFECTS__ */
export function hiddenField<Value>(name: string) {
  const key = Symbol.for(`notetaker-sdk.${name}`);
  return {
    // Stored as a function, so that even an inspection of hidden properties does not show the value.
    set: (owner: object, value: Value) => void Object.defineProperty(owner, key, { value: () => value }),
    get: (owner: object): Value => (owner as Record<symbol, () => Value>)[key]?.() as Value,
  };
}
