/** Limits the nesting of captured JSON. */
import { isRecord } from "../../json/is-record.js";

/** The deepest nesting that is kept. No real account has deeper values. */
const MAX_DEPTH = 60;

/** A copy of the value, in which values that are nested too deeply become `null`. Hostile JSON may have any depth. */
export function limitDepth(value: unknown, depth = 0): unknown {
  if (depth > MAX_DEPTH) return null;
  if (Array.isArray(value)) return value.map((item) => limitDepth(item, depth + 1));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, limitDepth(field, depth + 1)]));
}
