/** How each error is made from its record: the fields that the record must have, and the constructor. */
import * as z from "zod/mini";
import { isRecord } from "../json/is-record.js";
import { errorDetailSchema, validationIssueSchema } from "../schemas/error-envelope.js";
import type { Issue } from "../schemas/format-issues.js";
import { custom, nullish } from "../schemas/primitives.js";
import type { RateLimit } from "../schemas/rate-limit.js";
import { responseArray } from "../schemas/response-array.js";
import type { AnyNotetakerError, NotetakerErrorName } from "./any-notetaker-error.js";
import { ApiError, type ApiErrorInit } from "./api-error.js";
import { BadRequestError } from "./bad-request-error.js";
import { ConfigurationError } from "./configuration-error.js";
import { ConnectionError } from "./connection-error.js";
import { ForbiddenError } from "./forbidden-error.js";
import { InvalidArgumentError } from "./invalid-argument-error.js";
import { InvalidRequestError } from "./invalid-request-error.js";
import { MeetingFailedError } from "./meeting-failed-error.js";
import { NotFoundError } from "./not-found-error.js";
import { PaginationError } from "./pagination-error.js";
import { RateLimitedError } from "./rate-limited-error.js";
import { ResponseValidationError } from "./response-validation-error.js";
import { ServerError } from "./server-error.js";
import { TimeoutError } from "./timeout-error.js";
import { UnauthorizedError } from "./unauthorized-error.js";
import { WaitTimeoutError } from "./wait-timeout-error.js";
import { WebhookVerificationError, type WebhookVerificationReason } from "./webhook-verification-error.js";

/** The fields of a record, without those that are `null`. */
export type RecordFields = Readonly<Record<string, unknown>>;

export interface RecordClass {
  /** The schemas of the fields that this class adds to those of every error. */
  shape(): Record<string, z.core.$ZodType>;
  /** Makes the error. `fields` have been checked. */
  build(fields: RecordFields): AnyNotetakerError;
}

const requestSchema = () => z.looseObject({ method: z.string(), url: z.string() });
const issueSchema = () => z.looseObject({ path: z.string(), message: z.string() });
/** In JSON, a date is a text. */
const momentSchema = () =>
  custom<string | Date>((value) => !Number.isNaN(new Date(value as string | Date).getTime()), "a timestamp");

const apiShape = () => ({
  status: z.number(),
  code: nullish(z.string()),
  details: nullish(responseArray(z.unknown())),
  rateLimit: nullish(z.looseObject({ limit: z.number(), remaining: z.number(), resetAt: momentSchema() })),
  requestId: nullish(z.string()),
  request: requestSchema(),
});

/** The items that match `schema`. A list that was cut ends with a text, which counts the others and is left out. */
const itemsOf = <T>(list: unknown, schema: z.ZodMiniType<T>): T[] =>
  (Array.isArray(list) ? list : []).filter((item) => z.safeParse(schema, item).success) as T[];

const issuesOf = ({ issues }: RecordFields) => itemsOf<Issue>(issues, issueSchema());

const toRateLimit = (rateLimit: unknown): RateLimit | undefined =>
  isRecord(rateLimit) ? ({ ...rateLimit, resetAt: new Date(rateLimit.resetAt as string) } as RateLimit) : undefined;

/** Every field is set, so that a field that the record lacks does not get the default of the class. */
const apiFields = (fields: RecordFields): ApiErrorInit => ({
  ...fields,
  code: fields.code as string | undefined,
  details: fields.details === undefined ? undefined : itemsOf(fields.details, errorDetailSchema),
  rateLimit: toRateLimit(fields.rateLimit),
});

const apiClass = (ErrorClass: typeof ApiError): RecordClass => ({
  shape: apiShape,
  build: (fields) => new ErrorClass(apiFields(fields)) as AnyNotetakerError,
});

/** Each error class, by its name. */
export const RECORD_CLASSES: Readonly<Record<NotetakerErrorName, RecordClass>> = {
  ConfigurationError: { shape: () => ({}), build: (fields) => new ConfigurationError(fields) },
  InvalidArgumentError: {
    shape: () => ({ issues: responseArray(z.unknown()) }),
    build: (fields) => new InvalidArgumentError({ ...fields, issues: issuesOf(fields) }),
  },
  ApiError: apiClass(ApiError),
  BadRequestError: apiClass(BadRequestError),
  UnauthorizedError: apiClass(UnauthorizedError),
  ForbiddenError: apiClass(ForbiddenError),
  NotFoundError: apiClass(NotFoundError),
  InvalidRequestError: {
    shape: () => ({ ...apiShape(), issues: responseArray(z.unknown()) }),
    build: (fields) =>
      new InvalidRequestError({ ...apiFields(fields), issues: itemsOf(fields.issues, validationIssueSchema) }),
  },
  RateLimitedError: {
    shape: () => ({ ...apiShape(), retryAfterMs: nullish(z.number()) }),
    build: (fields) =>
      new RateLimitedError({ ...apiFields(fields), retryAfterMs: fields.retryAfterMs as number | undefined }),
  },
  ServerError: apiClass(ServerError),
  ConnectionError: {
    shape: () => ({ request: nullish(requestSchema()) }),
    build: (fields) => new ConnectionError(fields),
  },
  TimeoutError: {
    shape: () => ({ request: nullish(requestSchema()), timeoutMs: z.number() }),
    build: (fields) => new TimeoutError({ ...fields, timeoutMs: fields.timeoutMs as number }),
  },
  ResponseValidationError: {
    shape: () => ({ issues: responseArray(z.unknown()), status: z.number(), request: requestSchema() }),
    build: (fields) => new ResponseValidationError({ ...fields, issues: issuesOf(fields) }),
  },
  PaginationError: { shape: () => ({}), build: (fields) => new PaginationError(fields) },
  MeetingFailedError: {
    shape: () => ({ meetingId: z.string() }),
    build: (fields) => new MeetingFailedError({ ...fields, meetingId: fields.meetingId as string }),
  },
  WaitTimeoutError: {
    shape: () => ({ meetingId: z.string(), waitedMs: z.number() }),
    build: (fields) =>
      new WaitTimeoutError({
        ...fields,
        meetingId: fields.meetingId as string,
        waitedMs: fields.waitedMs as number,
      }),
  },
  WebhookVerificationError: {
    shape: () => ({ reason: z.string() }),
    build: (fields) => new WebhookVerificationError({ ...fields, reason: fields.reason as WebhookVerificationReason }),
  },
};
