/** Which failures are temporary: the one definition for calls, waits, `syncMeetings` and webhooks. */

import { ApiError, RateLimitedError } from "./api-error.js";
import { ConnectionError, ResponseValidationError, TimeoutError } from "./call-errors.js";
import type { AnyNotetakerError } from "./error-classes.js";

/** Whether the service refused the request because there were too many: status 429, or code `rate_limited`. */
export const isRateLimited = (error: unknown): error is ApiError =>
  error instanceof RateLimitedError || (error instanceof ApiError && error.status === 429);

/** Whether a request that was answered with this status may succeed later: 429, and 500 and above. */
export const isTemporaryStatus = (status: number): boolean => status === 429 || status >= 500;

/**
 * Whether `error` is temporary: a rate limit, a 5xx, a timeout, or a failed connection. A `ConnectionError` that is not
 * `retryable`, such as a refused redirect, is not temporary. Whether the request may be sent again also depends on the
 * operation: see `transport/retry-policy.ts`.
 */
export function isTemporary(
  error: unknown,
): error is Extract<AnyNotetakerError, ApiError> | ConnectionError | TimeoutError {
  if (isRateLimited(error) || error instanceof TimeoutError) return true;
  if (error instanceof ConnectionError) return error.retryable;
  return error instanceof ApiError && isTemporaryStatus(error.status);
}

/**
 * Whether `error` leaves open what the service would say: it is temporary, or the body is no answer of the service, but a
 * page of a firewall or a proxy. A wait goes on after it. A call repeats only what is temporary.
 */
export const isInconclusive = (error: unknown): error is AnyNotetakerError =>
  isTemporary(error) ||
  (error instanceof ApiError && !error.fromService) ||
  (error instanceof ResponseValidationError && error.outcome === "unknown");

/** Whether the service itself refused the parameters of the request: status 400 or 422. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError && error.fromService && (error.status === 400 || error.status === 422);
