/**
 * Whether something that was thrown can stay as it is: an error of the language with nothing on it but plain data, in
 * which no secret is found. Of anything else it cannot be known what it shows.
 */
import { SECRET_FIELD } from "./secret-fields.js";

const MAX_DEPTH = 6;
const MAX_OBJECTS = 100;
const MAX_FIELDS = 50;
const MAX_TEXT = 10_000;

/** Looked up when they are needed: older engines of React Native have no `AggregateError`. */
const PLAIN_CLASSES = [
  "Object",
  "Array",
  "Error",
  "EvalError",
  "RangeError",
  "ReferenceError",
  "SyntaxError",
  "TypeError",
  "URIError",
  "AggregateError",
] as const;

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return PLAIN_CLASSES.some((name) => globalThis[name]?.prototype === prototype);
};

type Redact = (text: string) => string;

/** Walks over plain data within limits; whatever lies beyond them counts as unclean. */
class CleanlinessCheck {
  readonly #redact: Redact;
  readonly #seen = new Set<object>();

  constructor(redact: Redact) {
    this.#redact = redact;
  }

  isClean(value: unknown, depth: number): boolean {
    if (typeof value === "string") return this.#isCleanText(value);
    if (typeof value === "function" || typeof value === "symbol") return false;
    if (typeof value !== "object" || value === null) return this.#isCleanText(String(value));
    if (this.#seen.has(value)) return true;
    if (depth >= MAX_DEPTH || this.#seen.size >= MAX_OBJECTS || !isPlain(value)) return false;
    this.#seen.add(value);
    const keys = Reflect.ownKeys(value);
    return keys.length <= MAX_FIELDS && keys.every((key) => this.#isCleanField(value, key, depth));
  }

  #isCleanField(value: object, key: string | symbol, depth: number): boolean {
    if (typeof key === "symbol" || SECRET_FIELD.test(key) || !this.#isCleanText(key)) return false;
    const field = Object.getOwnPropertyDescriptor(value, key);
    if (field === undefined) return false;
    // Some engines have an accessor for the stack of an error.
    if (!("value" in field)) return key === "stack" && this.isClean((value as Error).stack, depth + 1);
    return this.isClean(field.value, depth + 1);
  }

  #isCleanText(text: string): boolean {
    return text.length <= MAX_TEXT && this.#redact(text) === text;
  }
}

export function isPlainAndClean(value: unknown, redact: Redact): boolean {
  try {
    return new CleanlinessCheck(redact).isClean(value, 0);
  } catch {
    return false;
  }
}
