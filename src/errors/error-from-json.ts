import * as z from "zod/mini";
import { formatIssues, type IssueInit } from "../checks/format-issues.js";
import { isRecord } from "../json/is-record.js";
import { parseJson } from "../json/parse-json.js";
import { errorDetailSchema, validationIssueSchema } from "../schemas/error-envelope.js";
import { custom, enumOf, nullish } from "../schemas/primitives.js";
import { responseArray } from "../schemas/response-array.js";
import { InvalidArgumentError } from "./argument-errors.js";
import { type AnyNotetakerError, API_ERROR_CLASSES, OTHER_ERROR_CLASSES } from "./error-classes.js";
import { MAX_RECORD_DEPTH } from "./error-record.js";
import { OUTCOMES } from "./notetaker-error.js";

/** What a record must have, if the errors of its class have it. The record of `errorResponse` has no more. */
const REQUIRED = ["message", "outcome", "retryable", "attempts", "status", "issues"];

/** What a record does not have, and what is read without a schema. */
type UncheckedField = "name" | "stack" | "cause" | "body" | "headers" | "toJSON";

type KeysOf<T> = T extends unknown ? keyof T : never;

/** The fields of records. A field means the same in each class that has it. */
const fieldSchemas = () =>
  ({
    message: z.string(),
    outcome: enumOf(OUTCOMES),
    retryable: z.boolean(),
    attempts: z.number(),
    cursor: z.string(),
    status: z.number(),
    code: z.string(),
    details: responseArray(z.unknown()),
    // In JSON, a date is a text.
    rateLimit: z.looseObject({ limit: z.number(), remaining: z.number(), resetAt: momentSchema() }),
    requestId: z.string(),
    request: z.looseObject({ method: z.string(), url: z.string() }),
    issues: responseArray(z.unknown()),
    retryAfterMs: z.number(),
    timeoutMs: z.number(),
    waitedMs: z.number(),
    meetingId: z.string(),
    webhookId: z.string(),
    reason: z.string(),
  }) satisfies Record<Exclude<KeysOf<AnyNotetakerError>, UncheckedField>, z.core.$ZodType>;
type Fields = Readonly<Record<string, unknown>>;

const momentSchema = () =>
  custom<string | Date>(
    (value) => (typeof value === "string" || value instanceof Date) && !Number.isNaN(new Date(value).getTime()),
    "a timestamp",
  );
const issueSchema = () => z.looseObject({ path: z.string(), code: z.optional(z.string()), message: z.string() });

/** The schema of the records of a class, of which `error` is one. Fields that are not required may be `null`. */
function errorRecordSchema(error: AnyNotetakerError) {
  const shape = Object.entries<z.ZodMiniType>(fieldSchemas()).map(([name, schema]) => [
    name,
    REQUIRED.includes(name) && name in error ? schema : nullish(schema),
  ]);
  return z.looseObject(Object.fromEntries(shape) as Record<string, z.ZodMiniType>);
}

/**
 * Turns a record back into an error. The record is what `JSON.stringify(error)` or `error.toJSON()` returned, as JSON
 * text or as an object. Class, name, message and fields are the same. A record lacks `headers`, the stack, and the body
 * of a `ResponseValidationError`. Its long texts and lists were cut.
 *
 * @throws {InvalidArgumentError} {@link InvalidArgumentError} if `record` is not the record of an error of this library
 * @example
 * const error = errorFromJSON(JSON.parse(line).error);
 * if (error.name === "RateLimitedError") requeueIn(error.retryAfterMs ?? 60_000);
 */
export function errorFromJSON(record: unknown): AnyNotetakerError {
  const value = typeof record === "string" ? parseJson(record) : record;
  if (!isRecord(value))
    throw recordError([{ path: "", code: "wrong_type", message: "expected the record of an error" }]);
  const ErrorClass = classOf(value.name);
  if (ErrorClass === undefined)
    throw recordError([{ path: "name", code: "not_one_of", message: "expected the name of an error of this library" }]);
  const { error } = z.safeParse(errorRecordSchema(new ErrorClass()), value);
  if (error) throw recordError(formatIssues(error.issues, value));
  return new ErrorClass(toFields(value));
}

function classOf(name: unknown) {
  const classes: object = { ...API_ERROR_CLASSES, ...OTHER_ERROR_CLASSES };
  const entry = Object.entries(classes).find(([known]) => known === name);
  return entry?.[1] as (new (fields?: Fields) => AnyNotetakerError) | undefined;
}

const recordError = (issues: IssueInit[]) => new InvalidArgumentError({ operation: "errorFromJSON", issues });

/** The fields for the constructor. `code` is always set, so that the error does not get the default of its class. */
function toFields(record: Fields): Fields {
  // JSON has `null` for `undefined` in a list, and for a number that is not finite.
  const fields = Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));
  const { name, rateLimit, code, details, issues, cause } = fields;
  return {
    ...fields,
    headers: undefined,
    cause: toCause(cause, 1),
    code,
    details: itemsOf(details, errorDetailSchema),
    issues: itemsOf(issues, name === "InvalidRequestError" ? validationIssueSchema : issueSchema()),
    rateLimit: isRecord(rateLimit) ? { ...rateLimit, resetAt: new Date(rateLimit.resetAt as string) } : undefined,
  };
}

/** The items that match `schema`. A list that was cut ends with a text, which counts the others and is left out. */
const itemsOf = (list: unknown, schema: z.core.$ZodType) =>
  Array.isArray(list) ? list.filter((item) => z.safeParse(schema, item).success) : undefined;

/** Restores the cause of a record: an error with name, message and code, or a text. */
function toCause(cause: unknown, depth: number): unknown {
  if (!isRecord(cause)) return typeof cause === "string" ? cause : undefined;
  const inner = depth < MAX_RECORD_DEPTH ? toCause(cause.cause, depth + 1) : undefined;
  const error = new Error(plainText(cause.message), inner === undefined ? undefined : { cause: inner });
  Object.defineProperty(error, "name", { value: plainText(cause.name), writable: true, configurable: true });
  return cause.code === undefined ? error : Object.assign(error, { code: cause.code });
}

/** An object of a record may have a field `toString`, with which it cannot be converted to a text. */
const plainText = (value: unknown): string => (typeof value === "object" ? "" : String(value));
