/** Errors from the names of their classes, without the classes: small enough for a web page. */
import type { AnyNotetakerError } from "./error-classes.js";

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

/** An error that `instanceof` recognises as one of the class `name`, by the marker of `errorClass`. */
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
  const error = new Named(message, cause === undefined ? undefined : { cause });
  return Object.assign(error, { outcome: "unknown", retryable: false, attempts: 0 }, fields);
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
    ...fields,
  });
