/** The one answer to "may it succeed if it is sent again?", for the transport, the waits, the export and webhooks. */
import { ApiError } from "./api-error.js";
import { ConnectionError } from "./connection-error.js";
import { RateLimitedError } from "./rate-limited-error.js";
import { TimeoutError } from "./timeout-error.js";

/** Whether the service refused the request because there were too many: status 429, or code `rate_limited`. */
export const isRateLimited = (error: unknown): error is ApiError =>
  error instanceof RateLimitedError || (error instanceof ApiError && error.status === 429);

/** Whether a request that was answered with this status may succeed later: 429, and 500 and above. */
export const isTemporaryStatus = (status: number): boolean => status === 429 || status >= 500;

/**
 * Whether the cause of `error` may pass by itself: a rate limit, a 5xx, a timeout, a connection that failed (unless the
 * error says that another attempt is of no use: a refused redirect). Whether the request may be *sent* again is another
 * question, which the operation decides.
 */
export function isTemporary(error: unknown): error is ApiError | ConnectionError | TimeoutError {
  if (isRateLimited(error) || error instanceof TimeoutError) return true;
  if (error instanceof ConnectionError) return error.retryable;
  return error instanceof ApiError && isTemporaryStatus(error.status);
}
