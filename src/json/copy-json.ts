/** A deep copy of a JSON value. It is not recursive, so a value may be nested as deeply as `JSON.parse` allows. */
export function copyJson<Json>(value: Json): Json {
  const result = { value };
  const copied: [copy: object, key: string, original: object][] = [];
  const copyField = (copy: object, key: string, original: unknown) => {
    const isNested = typeof original === "object" && original !== null;
    const empty = Array.isArray(original) ? [] : {};
    const value = isNested ? empty : original;
    // Not an assignment, which for the key `__proto__` would set the prototype.
    Object.defineProperty(copy, key, { value, writable: true, enumerable: true, configurable: true });
    if (isNested) copied.push([copy, key, original]);
  };
  copyField(result, "value", value);
  for (let next = copied.pop(); next !== undefined; next = copied.pop()) {
    const [parent, key, original] = next;
    const copy = Object.getOwnPropertyDescriptor(parent, key)?.value as object;
    for (const [name, field] of Object.entries(original)) copyField(copy, name, field);
  }
  return result.value;
}
