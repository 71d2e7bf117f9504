/**
 * Rebuilds a thrown value from those parts of it that are safe: name, message, code, system call, stack, and causes
 * rebuilt in the same way. Other fields of an error, such as a request, headers or a configuration, are left out.
 */
import { ERROR_CLASSES } from "./error-classes.js";

const MAX_DEPTH = 5;
const MAX_ERRORS = 5;
const MAX_MESSAGE = 2_000;
const MAX_STACK = 8_000;
const MAX_NAME = 100;

/** Reads a field of any value. A getter may throw, and so may a proxy. */
function readField(value: unknown, name: string): unknown {
  try {
    return (value as Record<string, unknown>)[name];
  } catch {
    return undefined;
  }
}

function textOf(value: unknown): string {
  try {
    return String(value);
  } catch {
    return typeof value;
  }
}

type Redact = (text: string) => string;

/** A text field of `value`, cut to `max` characters, without secrets. */
function readText(value: unknown, name: string, max: number, redact: Redact): string | undefined {
  const text = readField(value, name);
  return typeof text === "string" ? redact(text.slice(0, max)) : undefined;
}

/** Sets a field that is not enumerable, as built-in errors have it. */
const hide = (error: Error, name: string, value: unknown): void => {
  Object.defineProperty(error, name, { value, writable: true, configurable: true });
};

/** Returns an error if `cause` has a message, else a text. `redact` removes the secrets from a text. */
export function rebuildCause(cause: unknown, redact: Redact, depth = 0): unknown {
  if (cause === undefined || cause === null || typeof cause === "boolean") return cause;
  const message = readText(cause, "message", MAX_MESSAGE, redact);
  if (message === undefined) return redact(textOf(cause).slice(0, MAX_MESSAGE));

  const name = readText(cause, "name", MAX_NAME, redact) ?? "Error";
  // An error of a JavaScript class stays an instance of that class. Any other error becomes an `Error` with its name.
  const className = ERROR_CLASSES.find((known) => known === name) ?? "Error";
  const error = new globalThis[className](message);
  if (error.name !== name) hide(error, "name", name);
  hide(error, "stack", readText(cause, "stack", MAX_STACK, redact) ?? `${name}: ${message}`);
  const code = readField(cause, "code");
  const shown = {
    code: typeof code === "number" ? code : readText(cause, "code", MAX_NAME, redact),
    syscall: readText(cause, "syscall", MAX_NAME, redact),
  };
  for (const [field, value] of Object.entries(shown)) if (value !== undefined) Object.assign(error, { [field]: value });
  if (depth < MAX_DEPTH) rebuildInner(cause, error, redact, depth + 1);
  return error;
}

/** Sets the rebuilt `cause` and `errors` (of an `AggregateError`) of `cause` as fields of `error`. */
function rebuildInner(cause: unknown, error: Error, redact: Redact, depth: number): void {
  const inner = readField(cause, "cause");
  if (inner !== undefined) hide(error, "cause", rebuildCause(inner, redact, depth));
  const errors = readField(cause, "errors");
  if (!Array.isArray(errors)) return;
  const rebuilt = Array.from({ length: Math.min(errors.length, MAX_ERRORS) }, (_, index) =>
    rebuildCause(errors[index], redact, depth),
  );
  hide(error, "errors", rebuilt);
}
