import { isRecord } from "../../json/is-record.js";

/** No account has values that are deeper. */
const MAX_DEPTH = 60;

/** The value without what is nested too deeply for a file: hostile JSON may have any depth. */
export function limitDepth(value: unknown, depth = 0): unknown {
  if (depth > MAX_DEPTH) return null;
  if (Array.isArray(value)) return value.map((item) => limitDepth(item, depth + 1));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, limitDepth(field, depth + 1)]));
}
