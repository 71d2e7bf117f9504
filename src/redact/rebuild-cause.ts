/**
 * Rebuilds what somebody threw from the parts that are known to be safe: name, message, code, the system call, stack,
 * and the causes of the same kind. Requests, headers, configurations and whatever else hangs on an error do not come
 * along.
 */

const MAX_DEPTH = 5;
const MAX_ERRORS = 5;
const MAX_MESSAGE = 2_000;
const MAX_STACK = 8_000;
const MAX_NAME = 100;

/** The classes of the language keep their `instanceof`; any other error becomes an `Error` of its name. */
const ERROR_CLASSES: Readonly<Record<string, new (message: string) => Error>> = {
  EvalError,
  RangeError,
  ReferenceError,
  SyntaxError,
  TypeError,
  URIError,
};

/** A field of an error of whatever origin: a getter may throw, and so may a proxy. */
function readField(value: object, name: string): unknown {
  try {
    return (value as Record<string, unknown>)[name];
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is object =>
  (typeof value === "object" && value !== null) || typeof value === "function";

function textOf(value: unknown): string {
  try {
    return String(value);
  } catch {
    return typeof value;
  }
}

type Redact = (text: string) => string;

/** A text field of `value`, cut, and without secrets. */
function readText(value: object, name: string, max: number, redact: Redact): string | undefined {
  const text = readField(value, name);
  return typeof text === "string" ? redact(text.slice(0, max)) : undefined;
}

/** Errors keep such fields out of what is enumerated. */
const hide = (error: Error, name: string, value: unknown): void => {
  Object.defineProperty(error, name, { value, writable: true, configurable: true });
};

/** `cause` as an error; as a text if it is something else. `redact` takes the secrets out of a text. */
export function rebuildCause(cause: unknown, redact: Redact, depth = 0): unknown {
  if (cause === undefined || cause === null || typeof cause === "boolean") return cause;
  if (!isObject(cause)) return redact(textOf(cause).slice(0, MAX_MESSAGE));
  const message = readText(cause, "message", MAX_MESSAGE, redact);
  if (message === undefined) return redact(textOf(cause).slice(0, MAX_MESSAGE));

  const name = readText(cause, "name", MAX_NAME, redact) ?? "Error";
  const ErrorClass = (Object.hasOwn(ERROR_CLASSES, name) ? ERROR_CLASSES[name] : undefined) ?? Error;
  const error = new ErrorClass(message);
  if (error.name !== name) hide(error, "name", name);
  hide(error, "stack", readText(cause, "stack", MAX_STACK, redact) ?? `${name}: ${message}`);
  const code = readField(cause, "code");
  if (typeof code === "number") Object.assign(error, { code });
  if (typeof code === "string") Object.assign(error, { code: redact(code.slice(0, MAX_NAME)) });
  const syscall = readText(cause, "syscall", MAX_NAME, redact);
  if (syscall !== undefined) Object.assign(error, { syscall });
  if (depth < MAX_DEPTH) rebuildInner(cause, error, redact, depth + 1);
  return error;
}

/** The causes of `cause`, and the errors that it sums up, as fields of `error`. */
function rebuildInner(cause: object, error: Error, redact: Redact, depth: number): void {
  const inner = readField(cause, "cause");
  if (inner !== undefined) hide(error, "cause", rebuildCause(inner, redact, depth));
  const errors = readField(cause, "errors");
  if (!Array.isArray(errors)) return;
  const rebuilt = Array.from({ length: Math.min(errors.length, MAX_ERRORS) }, (_, index) =>
    rebuildCause(errors[index], redact, depth),
  );
  hide(error, "errors", rebuilt);
}
