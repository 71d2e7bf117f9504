import type {
  ApiError,
  BadRequestError,
  ForbiddenError,
  InvalidRequestError,
  NotFoundError,
  RateLimitedError,
  ServerError,
  UnauthorizedError,
} from "./api-error.js";
import type { ConfigurationError, InvalidArgumentError } from "./argument-errors.js";
import type {
  ConnectionError,
  MeetingFailedError,
  PaginationError,
  ResponseValidationError,
  TimeoutError,
  WaitTimeoutError,
} from "./call-errors.js";
import { NotetakerError } from "./notetaker-error.js";
import type { WebhookVerificationError } from "./webhook-verification-error.js";

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
