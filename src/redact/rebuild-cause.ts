/** Rebuilds a thrown value from safe parts: name, message, code, system call, stack, causes; no other field. */
import { orUndefined } from "../json/or-undefined.js";
import { textOf } from "../json/text-of.js";

const MAX_CAUSES = 5;
/** How many members of an `AggregateError` are kept, and down to which depth. */
const MAX_ERRORS = 5;
const MAX_ERRORS_DEPTH = 1;
const MAX_CAUSE_MESSAGE = 2_000;
const MAX_STACK = 8_000;
const MAX_NAME = 100;

/** The built-in classes whose constructors need only a message. An error of such a class stays an instance of it. */
const BUILT_IN = ["EvalError", "RangeError", "ReferenceError", "SyntaxError", "TypeError", "URIError"] as const;

export type Redact = (text: string) => string;

/** Longer than any secret: servers refuse headers of more than 16 KB (Node) or 32 KB, and a form takes a few times that. */
const LONGEST_SECRET = 100_000;

/** The first `max` characters. A secret that the cut would halve is removed before. */
export const firstOf = (text: string, max: number, withoutValues: Redact): string =>
  withoutValues(text.slice(0, max + LONGEST_SECRET)).slice(0, max);

const readField = (value: unknown, name: string): unknown =>
  orUndefined(() => (value as Record<string, unknown>)[name]);

const textMember = (value: unknown, name: string): string | undefined => {
  const text = readField(value, name);
  return typeof text === "string" ? text : undefined;
};

/** Sets a field that is not enumerable, as built-in errors have it. */
const hide = (error: Error, name: string, value: unknown): void => {
  Object.defineProperty(error, name, { value, writable: true, configurable: true });
};

/** An error if `cause` has a message, else a text. `withoutValues` (for stacks) only removes known secrets. */
export function rebuildCause(cause: unknown, redact: Redact, withoutValues: Redact, depth = 0): unknown {
  if (cause === undefined || cause === null || typeof cause === "boolean") return cause;
  const shown = (text: string, max: number) => redact(firstOf(text, max, withoutValues));
  const received = textMember(cause, "message");
  if (received === undefined) return shown(textOf(cause), MAX_CAUSE_MESSAGE);

  const message = shown(received, MAX_CAUSE_MESSAGE);
  const name = shown(textMember(cause, "name") ?? "Error", MAX_NAME);
  const error = new globalThis[BUILT_IN.find((known) => known === name) ?? "Error"](message);
  hide(error, "name", name);
  // In V8, a stack begins with the message.
  const stack = textMember(cause, "stack")?.replace(received, () => message) ?? `${name}: ${message}`;
  hide(error, "stack", firstOf(stack, MAX_STACK, withoutValues));
  copyCodes(cause, error, (code) => shown(code, MAX_NAME));

  if (depth >= MAX_CAUSES) return error;
  const rebuild = (inner: unknown) => rebuildCause(inner, redact, withoutValues, depth + 1);
  const inner = readField(cause, "cause");
  if (inner !== undefined) hide(error, "cause", rebuild(inner));
  const errors = readField(cause, "errors");
  if (Array.isArray(errors) && depth <= MAX_ERRORS_DEPTH)
    hide(error, "errors", errors.slice(0, MAX_ERRORS).map(rebuild));
  return error;
}

/** `syscall` tells whether the code is of a connection that was being made, or was open. */
function copyCodes(cause: unknown, error: Error, redact: Redact): void {
  for (const name of ["code", "syscall"]) {
    const value = readField(cause, name);
    if (typeof value === "number") Object.assign(error, { [name]: value });
    if (typeof value === "string") Object.assign(error, { [name]: redact(value) });
  }
}
