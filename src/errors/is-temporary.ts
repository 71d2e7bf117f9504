/** Which failures are temporary: the one definition for calls, waits, `syncMeetings` and webhooks. */

import { ApiError, RateLimitedError } from "./api-error.js";
import { ConnectionError, ResponseValidationError, TimeoutError } from "./call-errors.js";
import type { AnyNotetakerError } from "./error-classes.js";

/** Whether the service refused the request because there were too many: status 429, or code `rate_limited`. */
export const isRateLimited = (error: unknown): error is ApiError =>
  error instanceof RateLimitedError || (error instanceof ApiError && error.status === 429);

/** Whether a request that was answered with this status may succeed later: 429, and 500 and above. */
export const isTemporaryStatus = (status: number): boolean => status === 429 || status >= 500;

/** A rate limit, a 5xx, a timeout, a lost connection. Whether to send again is up to `retry-policy.ts`. */
export function isTemporary(
  error: unknown,
): error is Extract<AnyNotetakerError, ApiError> | ConnectionError | TimeoutError {
  if (isRateLimited(error) || error instanceof TimeoutError) return true;
  if (error instanceof ConnectionError) return error.retryable;
  return error instanceof ApiError && isTemporaryStatus(error.status);
}

/** Temporary, or no answer of the service but of a firewall or proxy. A wait goes on; a call is not repeated. */
export const isInconclusive = (error: unknown): error is AnyNotetakerError =>
  isTemporary(error) ||
  (error instanceof ApiError && !error.fromService) ||
  (error instanceof ResponseValidationError && error.outcome === "unknown");

/** Whether the service itself refused the parameters of the request: status 400 or 422. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError && error.fromService && (error.status === 400 || error.status === 422);
