/** Whether the value that the user's own code threw can be passed on as it is. */
import type { Redact } from "./rebuild-cause.js";

/** How many values are searched, and how many characters of text in all. */
const MAX_VALUES = 200;
const MAX_TEXT = 100_000;

/** The kinds of objects whose whole content is in their fields. Others, such as a request, may hide a secret. */
const OPEN_KIND = /^\[object (?:Object|Array|Error|DOMException|Date)\]$/;
/** An error may have these fields from its prototype. */
const ERROR_FIELDS = ["name", "message", "code", "cause"];

type Field = [name: PropertyKey, value: unknown];

/** Returns `undefined` if the fields are not the whole content. */
function fieldsOf(value: unknown): Field[] | undefined {
  if (typeof value !== "object" || value === null) return [];
  if (!OPEN_KIND.test(Object.prototype.toString.call(value))) return undefined;
  const names = new Set([...Reflect.ownKeys(value), ...ERROR_FIELDS]);
  return Array.from(names, (name) => [name, (value as Record<PropertyKey, unknown>)[name]]);
}

/** Whether the whole of `thrown` was searched, and redaction changes no text in it. A getter may throw. */
export function showsNoSecret(thrown: unknown, redact: Redact, withoutValues: Redact): boolean {
  const values: Field[] = [["", thrown]];
  const seen = new Set<unknown>();
  let textLeft = MAX_TEXT;
  for (const [name, value] of values) {
    const text = `${String(name)}=${typeof value === "object" ? "{}" : String(value)}`;
    textLeft -= text.length;
    // The lines of a stack may name a file `secrets.ts`.
    if (textLeft < 0 || (name === "stack" ? withoutValues : redact)(text) !== text) return false;
    if (seen.has(value)) continue;
    seen.add(value);
    const fields = fieldsOf(value);
    if (fields === undefined || values.length + fields.length > MAX_VALUES) return false;
    values.push(...fields);
  }
  return true;
}
