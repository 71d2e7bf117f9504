import type { ApiError } from "./api-error.js";
import type { BadRequestError } from "./bad-request-error.js";
import type { ConfigurationError } from "./configuration-error.js";
import type { ConnectionError } from "./connection-error.js";
import type { ForbiddenError } from "./forbidden-error.js";
import type { InvalidArgumentError } from "./invalid-argument-error.js";
import type { InvalidRequestError } from "./invalid-request-error.js";
import type { MeetingFailedError } from "./meeting-failed-error.js";
import type { NotFoundError } from "./not-found-error.js";
import { NotetakerError } from "./notetaker-error.js";
import type { PaginationError } from "./pagination-error.js";
import type { RateLimitedError } from "./rate-limited-error.js";
import type { ResponseValidationError } from "./response-validation-error.js";
import type { ServerError } from "./server-error.js";
import type { TimeoutError } from "./timeout-error.js";
import type { UnauthorizedError } from "./unauthorized-error.js";
import type { WaitTimeoutError } from "./wait-timeout-error.js";
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
