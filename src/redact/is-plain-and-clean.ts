/**
 * Whether something that was thrown can stay as it is: an error of the language with nothing on it but plain data, in
 * which no secret is found. It cannot be known what anything else would show.
 */
import { ERROR_CLASSES } from "./error-classes.js";
import { SECRET_FIELD } from "./secret-fields.js";

const MAX_DEPTH = 6;
const MAX_OBJECTS = 100;
const MAX_FIELDS = 50;
const MAX_TEXT = 10_000;

/** Looked up when they are needed: older engines of React Native have no `AggregateError`. */
const PLAIN_CLASSES = ["Object", "Array", "AggregateError", ...ERROR_CLASSES] as const;

/** Walks over plain data within limits; whatever lies beyond them counts as unclean. */
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
    // Some engines have an accessor for the stack of an error.
    return name === "stack" && isClean((owner as Error).stack, depth);
  };
  const isCleanText = (text: string) => text.length <= MAX_TEXT && redact(text) === text;

  try {
    return isClean(cause, 0);
  } catch {
    return false;
  }
}
