/** Turns a record back into an error: from a log line, a queue, or another thread. */
import * as z from "zod/mini";
import { isRecord } from "../json/is-record.js";
import { parseJson } from "../json/parse-json.js";
import { formatIssues, type Issue } from "../schemas/format-issues.js";
import { enumOf, nullish } from "../schemas/primitives.js";
import type { AnyNotetakerError, NotetakerErrorName } from "./any-notetaker-error.js";
import { InvalidArgumentError } from "./invalid-argument-error.js";
import type { Outcome } from "./notetaker-error.js";
import { RECORD_CLASSES, type RecordFields } from "./record-classes.js";

const OUTCOMES: readonly Outcome[] = ["not_sent", "rejected", "accepted", "unknown"];
const MAX_CAUSES = 8;

const commonShape = () => ({
  message: z.string(),
  outcome: enumOf(OUTCOMES),
  retryable: z.boolean(),
  attempts: z.number(),
  cursor: nullish(z.string()),
});

/**
 * Turns a record back into an error. The record is what `JSON.stringify(error)` or `error.toJSON()` returned, as JSON
 * text or as an object. Class, name, message and fields are the same. A record lacks `headers`, the stack, and the body
 * of a `ResponseValidationError`. Its long texts and lists were cut.
 *
 * @throws {InvalidArgumentError} `record` is not the record of an error of this library
 * @example
 * const error = errorFromJSON(JSON.parse(line).error);
 * if (error.name === "RateLimitedError") requeueIn(error.retryAfterMs ?? 60_000);
 */
export function errorFromJSON(record: unknown): AnyNotetakerError {
  const value = typeof record === "string" ? parseJson(record) : record;
  if (!isRecord(value)) throw refused([{ path: "", message: "expected the record of an error" }]);
  const { name } = value;
  if (!isErrorName(name)) throw refused([{ path: "name", message: "expected the name of an error of this library" }]);

  const { shape, build } = RECORD_CLASSES[name];
  const result = z.safeParse(z.looseObject({ ...commonShape(), ...shape() }), value);
  if (!result.success) throw refused(formatIssues(result.error.issues, value));
  return build(withoutNull({ ...value, headers: undefined, cause: toCause(value.cause, 1) }));
}

const isErrorName = (name: unknown): name is NotetakerErrorName =>
  typeof name === "string" && Object.hasOwn(RECORD_CLASSES, name);

const refused = (issues: Issue[]) => new InvalidArgumentError("errorFromJSON", issues);

/** JSON has `null` for `undefined` in a list, and for a number that is not finite. */
const withoutNull = (fields: RecordFields): RecordFields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));

/** Restores the cause of a record: an error with name, message and code, or a text. */
function toCause(cause: unknown, depth: number): unknown {
  if (!isRecord(cause)) return typeof cause === "string" ? cause : undefined;
  const inner = depth < MAX_CAUSES ? toCause(cause.cause, depth + 1) : undefined;
  const error = new Error(String(cause.message), inner === undefined ? undefined : { cause: inner });
  Object.defineProperty(error, "name", { value: String(cause.name), writable: true, configurable: true });
  return cause.code === undefined ? error : Object.assign(error, { code: cause.code });
}
