/** A limit that the caller set, or none. Refused is what could not mean anything: no number, not a number, below `min`. */
export function limit(name: string, value: number | undefined, min = 0): number {
  if (value === undefined) return Number.POSITIVE_INFINITY;
  if (typeof value !== "number" || !(value >= min)) {
    throw new RangeError(`${name}: expected a number of at least ${min}, received ${value}`);
  }
  return value;
}
