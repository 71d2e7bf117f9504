/** Errors from the names of their classes, without the classes: small enough for a web page. */
import type { AnyNotetakerError, NotetakerErrorName } from "./error-classes.js";
import type { NotetakerError } from "./notetaker-error.js";

interface RecordFields {
  readonly message: string;
  readonly [field: string]: unknown;
}

const markerOf = (name: string) => Symbol.for(`notetaker-sdk.${name}`);

/**
 * Whether `value` is an error of this library: also one that `errorResponse` described on a server, or of another copy
 * of the package. Afterwards, `name` narrows its type.
 *
 * @example
 * if (isNotetakerError(error) && error.name === "RateLimitedError") wait(error.retryAfterMs);
 */
export const isNotetakerError = (value: unknown): value is AnyNotetakerError =>
  markerOf("NotetakerError") in Object(value);

/** Whether `error` is an error of this library that a new attempt may solve. */
export const isRetryable = (error: unknown): boolean => isNotetakerError(error) && error.retryable;

type ErrorNamed<Name> = Extract<AnyNotetakerError, { readonly name: Name }>;

/** The members that every error of a class has, apart from those of all classes. */
type OwnMembers<E> = {
  [K in keyof E as K extends keyof NotetakerError ? never : undefined extends E[K] ? never : K]: E[K];
};

type TableOfMembers = {
  readonly [Name in NotetakerErrorName as keyof OwnMembers<ErrorNamed<Name>> extends never
    ? never
    : Name]: () => OwnMembers<ErrorNamed<Name>>;
};

const success = () => ({ status: 0, headers: new Headers(), request: { method: "", url: "" } });
const response = () => ({ ...success(), fromService: true });
const withIssues = () => ({ issues: [] });

/** The members of each class, with the values that they have in an error without more facts. */
const MEMBERS: TableOfMembers = {
  ApiError: response,
  BadRequestError: response,
  UnauthorizedError: response,
  ForbiddenError: response,
  NotFoundError: response,
  RateLimitedError: response,
  ServerError: response,
  InvalidRequestError: () => ({ ...response(), ...withIssues() }),
  ResponseValidationError: () => ({ ...success(), ...withIssues() }),
  InvalidArgumentError: withIssues,
  TimeoutError: () => ({ timeoutMs: 0 }),
  MeetingFailedError: () => ({ meetingId: "" }),
  WaitTimeoutError: () => ({ meetingId: "", waitedMs: 0 }),
  WebhookVerificationError: () => ({ reason: "not_an_event" }),
};

const kindOf = (value: unknown) => (Array.isArray(value) ? "array" : typeof value);

/**
 * An error that `instanceof` recognises as one of the class `name`, by the marker of `errorClass`. It has every member
 * that its type promises: a field of the record that is absent or of another type does not replace it.
 */
export function errorOfRecord({ name, message, cause, ...fields }: RecordFields & { readonly name: string }): Error {
  // A class of that name, because devtools and error trackers may show `constructor.name` or the stack.
  class Named extends Error {}
  Object.defineProperty(Named, "name", { value: name });
  Object.assign(Named.prototype, {
    name,
    toJSON(this: Error) {
      return { ...this, name, message, headers: undefined };
    },
    [markerOf("NotetakerError")]: true,
    [markerOf(name)]: true,
    // Of the other classes, only this one has a status.
    ...(fields.status !== undefined && name !== "ResponseValidationError" && { [markerOf("ApiError")]: true }),
  });
  const own = Object.hasOwn(MEMBERS, name) ? MEMBERS[name as keyof TableOfMembers]() : {};
  const members: Record<string, unknown> = { outcome: "unknown", retryable: false, attempts: 0, ...own };
  const kinds: Record<string, unknown> = { code: "", retryAfterMs: 0, ...members };
  const given = Object.entries(fields).filter(([field, value]) =>
    value === undefined ? !(field in members) : !(field in kinds) || kindOf(value) === kindOf(kinds[field]),
  );
  const error = new Named(message, cause === undefined ? undefined : { cause });
  return Object.assign(error, members, Object.fromEntries(given));
}

/** Without 422: an `InvalidRequestError` has issues, which are not known here. */
const STATUS_NAMES: Readonly<Record<number, string>> = {
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  429: "RateLimited",
};

/** The error for a response with this status, of which no more is known. */
export const errorOfStatus = (status: number, fields: RecordFields): Error =>
  errorOfRecord({
    name: `${STATUS_NAMES[status] ?? (status < 500 ? "Api" : "Server")}Error`,
    status,
    attempts: 1,
    outcome: status < 500 ? "rejected" : "unknown",
    fromService: false,
    ...fields,
  });
