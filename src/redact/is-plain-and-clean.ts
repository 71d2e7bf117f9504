/**
 * Tells whether a thrown value can be shown unchanged: it is an error of a JavaScript class, or plain data, and none of
 * its fields contains a secret. An object of any other class could show anything.
 */
import { ERROR_CLASSES } from "./error-classes.js";
import { SECRET_FIELD } from "./secret-fields.js";

const MAX_DEPTH = 6;
const MAX_OBJECTS = 100;
const MAX_FIELDS = 50;
const MAX_TEXT = 10_000;

/** Names rather than classes, because older engines of React Native have no `AggregateError`. */
const PLAIN_CLASSES = ["Object", "Array", "AggregateError", ...ERROR_CLASSES] as const;

/** Checks plain data up to certain limits. A value that exceeds a limit counts as unclean. */
export function isPlainAndClean(cause: unknown, redact: (text: string) => string): boolean {
  const seen = new Set<unknown>();
  const isClean = (value: unknown, depth: number): boolean => {
    if (typeof value === "function" || typeof value === "symbol") return false;
    if (typeof value !== "object" || value === null) return isCleanText(String(value));
    if (seen.has(value)) return true;
    if (depth >= MAX_DEPTH || seen.size >= MAX_OBJECTS) return false;
    const prototype: unknown = Object.getPrototypeOf(value);
    if (!PLAIN_CLASSES.some((name) => globalThis[name]?.prototype === prototype)) return false;
    seen.add(value);
    const fields = Object.entries(Object.getOwnPropertyDescriptors(value));
    const isSmall = fields.length <= MAX_FIELDS && Object.getOwnPropertySymbols(value).length === 0;
    return isSmall && fields.every(([name, field]) => isCleanField(value, name, field, depth + 1));
  };
  const isCleanField = (owner: object, name: string, field: PropertyDescriptor, depth: number): boolean => {
    if (SECRET_FIELD.test(name) || !isCleanText(name)) return false;
    if ("value" in field) return isClean(field.value, depth);
    // In some engines, the stack of an error is an accessor.
    return name === "stack" && isClean((owner as Error).stack, depth);
  };
  const isCleanText = (text: string) => text.length <= MAX_TEXT && redact(text) === text;

  try {
    return isClean(cause, 0);
  } catch {
    return false;
  }
}
