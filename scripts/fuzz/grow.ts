/** Enlarges a small input to a given size. */

type Json = Record<string, unknown> | unknown[];

/** Repeats the input. The first byte stays the same, because some targets choose an operation by it. */
export const repeated = (input: Buffer, size: number): Buffer =>
  Buffer.concat(Array(Math.ceil(size / Math.max(1, input.length))).fill(input)).subarray(0, size);

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null;

/** Every non-empty list in a JSON value. */
function listsIn(value: unknown): unknown[][] {
  if (!isObject(value)) return [];
  const inner = Object.values(value).flatMap(listsIn);
  return Array.isArray(value) && value.length > 0 ? [value, ...inner] : inner;
}

/** Splits an input into the bytes before the first bracket and the JSON after them. */
function jsonOf(input: Buffer): { before: Buffer; json: Json } | undefined {
  const start = input.toString("latin1").search(/[[{]/);
  if (start < 0) return undefined;
  try {
    const json: unknown = JSON.parse(input.subarray(start).toString());
    return isObject(json) ? { before: input.subarray(0, start), json } : undefined;
  } catch {
    return undefined;
  }
}

/** The input with the elements of its first list repeated, still valid JSON; `undefined` if it has no list. */
export function withLongerList(input: Buffer, size: number): Buffer | undefined {
  const found = jsonOf(input);
  const [list] = listsIn(found?.json);
  if (found === undefined || list === undefined) return undefined;
  const elements = [...list];
  const length = Math.max(1, JSON.stringify(elements).length);
  for (let left = size - input.length; left > 0; left -= length) list.push(...elements);
  return Buffer.concat([found.before, Buffer.from(JSON.stringify(found.json))]);
}
