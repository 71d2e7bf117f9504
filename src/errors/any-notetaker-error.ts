/**
 * All error classes together: their union, and how a record becomes an error again, from a log line, a queue or another
 * thread.
 */
import * as z from "zod/mini";
import { isRecord } from "../json/is-record.js";
import { parseJson } from "../json/parse-json.js";
import { errorDetailSchema, validationIssueSchema } from "../schemas/error-envelope.js";
import { formatIssues, type Issue } from "../schemas/format-issues.js";
import { custom, enumOf, nullish } from "../schemas/primitives.js";
import { responseArray } from "../schemas/response-array.js";
import {
  ApiError,
  BadRequestError,
  ForbiddenError,
  InvalidRequestError,
  NotFoundError,
  RateLimitedError,
  ServerError,
  UnauthorizedError,
} from "./api-error.js";
import { ConfigurationError, InvalidArgumentError } from "./argument-errors.js";
import {
  ConnectionError,
  MeetingFailedError,
  PaginationError,
  ResponseValidationError,
  TimeoutError,
  WaitTimeoutError,
} from "./call-errors.js";
import { NotetakerError, OUTCOMES } from "./notetaker-error.js";
import { WebhookVerificationError } from "./webhook-verification-error.js";

/** Every error of this library. `switch (error.name)` narrows to one class and its fields. */
export type AnyNotetakerError =
  | ConfigurationError
  | InvalidArgumentError
  | (ApiError & {
      /** The name of the class, for a status without a class of its own. */
      readonly name: "ApiError";
    })
  | BadRequestError
  | UnauthorizedError
  | ForbiddenError
  | NotFoundError
  | InvalidRequestError
  | RateLimitedError
  | ServerError
  | ConnectionError
  | TimeoutError
  | ResponseValidationError
  | PaginationError
  | MeetingFailedError
  | WaitTimeoutError
  | WebhookVerificationError;

/** The name of every error class of this library. */
export type NotetakerErrorName = AnyNotetakerError["name"];

/**
 * Whether `value` is an error of this library, from this copy of the package or from another one.
 *
 * @example
 * if (isNotetakerError(error) && error.name === "RateLimitedError") wait(error.retryAfterMs);
 */
export const isNotetakerError = (value: unknown): value is AnyNotetakerError => value instanceof NotetakerError;

const MAX_CAUSES = 8;

/**
 * Each error class, by its name, and the fields that its record must have besides those of every error: those that the
 * record of `errorResponse` has as well. Without a spread, bundlers can drop the table.
 */
const CLASSES: Readonly<
  Record<NotetakerErrorName, readonly [new (fields: never) => AnyNotetakerError | ApiError, ...FieldName[]]>
> = {
  ConfigurationError: [ConfigurationError],
  InvalidArgumentError: [InvalidArgumentError, "issues"],
  ApiError: [ApiError, "status"],
  BadRequestError: [BadRequestError, "status"],
  UnauthorizedError: [UnauthorizedError, "status"],
  ForbiddenError: [ForbiddenError, "status"],
  NotFoundError: [NotFoundError, "status"],
  InvalidRequestError: [InvalidRequestError, "status", "issues"],
  RateLimitedError: [RateLimitedError, "status"],
  ServerError: [ServerError, "status"],
  ConnectionError: [ConnectionError],
  TimeoutError: [TimeoutError],
  ResponseValidationError: [ResponseValidationError, "issues", "status"],
  PaginationError: [PaginationError],
  MeetingFailedError: [MeetingFailedError],
  WaitTimeoutError: [WaitTimeoutError],
  WebhookVerificationError: [WebhookVerificationError],
};

/** The fields of records. A field means the same in each class that has it. */
const fieldSchemas = () => ({
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
  reason: z.string(),
});
type FieldName = keyof ReturnType<typeof fieldSchemas>;
type Fields = Readonly<Record<string, unknown>>;

const momentSchema = () =>
  custom<string | Date>((value) => !Number.isNaN(new Date(value as string | Date).getTime()), "a timestamp");
const issueSchema = () => z.looseObject({ path: z.string(), message: z.string() });

/** The schema of a record with these fields. The other fields may be absent or `null`. */
function recordSchema(required: readonly FieldName[]) {
  const shape = Object.entries(fieldSchemas()).map(([name, schema]) => [
    name,
    required.includes(name as FieldName) ? schema : nullish(schema as z.ZodMiniType),
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
  if (!isRecord(value)) throw refused([{ path: "", message: "expected the record of an error" }]);
  const { name } = value;
  if (!isErrorName(name)) throw refused([{ path: "name", message: "expected the name of an error of this library" }]);

  const [ErrorClass, ...required] = CLASSES[name];
  const schema = recordSchema(["message", "outcome", "retryable", "attempts", ...required]);
  const { error } = z.safeParse(schema, value);
  if (error) throw refused(formatIssues(error.issues, value));
  return new ErrorClass(toFields(name, value) as never) as AnyNotetakerError;
}

const isErrorName = (name: unknown): name is NotetakerErrorName =>
  typeof name === "string" && Object.hasOwn(CLASSES, name);

const refused = (issues: Issue[]) => new InvalidArgumentError("errorFromJSON", issues);

/** The fields for the constructor. `code` is always set, so that the error does not get the default of its class. */
function toFields(name: NotetakerErrorName, record: Fields): Fields {
  // JSON has `null` for `undefined` in a list, and for a number that is not finite.
  const fields = Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));
  const { rateLimit, code, details, issues, cause } = fields;
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
  const inner = depth < MAX_CAUSES ? toCause(cause.cause, depth + 1) : undefined;
  const error = new Error(String(cause.message), inner === undefined ? undefined : { cause: inner });
  Object.defineProperty(error, "name", { value: String(cause.name), writable: true, configurable: true });
  return cause.code === undefined ? error : Object.assign(error, { code: cause.code });
}
