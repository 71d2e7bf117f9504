/** How messages describe a received value. */

/** A message repeats at most this many characters of a text. */
const MAX_QUOTED = 60;

const withArticle = (noun: string) => `${/^[aeio]/.test(noun) ? "an" : "a"} ${noun}`;

/** Only the kind of `value`: `a string`, `null`. Its content may be a secret or a conversation. */
export function kindOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (value === "") return "an empty string";
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  if (Array.isArray(value)) return "an array";
  if (value instanceof Date && Number.isNaN(value.getTime())) return "an invalid Date";
  return withArticle(typeof value);
}

/** `expected integer` as `expected an integer, received a string`. */
export const expectedType = (type: string, value: unknown): string =>
  `expected ${withArticle(type)}, received ${kindOf(value)}`;

/**
 * A text, number or boolean as it is: `"mine"`, `500`; any other value as its kind. Only for parameters without
 * secrets.
 */
export function quoted(value: unknown): string {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value !== "string") return kindOf(value);
  return JSON.stringify(value.length <= MAX_QUOTED ? value : `${value.slice(0, MAX_QUOTED)}…`);
}
