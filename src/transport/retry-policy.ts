/**
 * Whether a failure is retried, and after what wait. Which failures may pass by themselves: `errors/is-temporary.ts`.
 */
import { ApiError } from "../errors/api-error.js";
import { ConnectionError } from "../errors/connection-error.js";
import { isRateLimited, isTemporary } from "../errors/is-temporary.js";
import type { NotetakerError } from "../errors/notetaker-error.js";
import { RateLimitedError } from "../errors/rate-limited-error.js";
import { readRetryAfter } from "../errors/retry-after.js";
import type { RetryClass } from "./operation.js";

/** The first backoff is drawn from 0 to this, in milliseconds; each further one from twice as much. */
export const BACKOFF_BASE_MS = 500;

export interface RetryRules {
  retry: RetryClass;
  /** Whether the body can be sent again. */
  bodyRepeatable: boolean;
  /** The longest wait, in milliseconds. */
  maxRetryDelayMs: number;
}

/** Whether sending the same request again is safe, and may help. */
export function isRetryable(error: unknown, { retry, bodyRepeatable }: RetryRules): boolean {
  if (!bodyRepeatable || !isTemporary(error)) return false;
  if (retry === "repeatable") return true;
  // Sent again only when it certainly did not act.
  return isRateLimited(error) || (error instanceof ConnectionError && error.outcome === "not_sent");
}

/** What the service asks to wait, in milliseconds: `undefined` without a hint. */
export function hintMs(error: unknown): number | undefined {
  if (error instanceof RateLimitedError) return error.retryAfterMs;
  return error instanceof ApiError ? readRetryAfter(error.headers) : undefined;
}

/**
 * The wait before retry number `retry` (1 for the first), in milliseconds. `undefined` if there is no retry: the
 * failure is not retried, or the service asks for a longer wait than `maxRetryDelayMs`.
 */
export function retryDelayMs(error: unknown, retry: number, rules: RetryRules): number | undefined {
  if (!isRetryable(error, rules)) return undefined;
  const hint = hintMs(error);
  if (hint !== undefined) return hint <= rules.maxRetryDelayMs ? hint : undefined;
  return Math.random() * Math.min(rules.maxRetryDelayMs, BACKOFF_BASE_MS * 2 ** (retry - 1));
}

/** The argument of {@link ClientOptions.onRetry}. */
export interface RetryReport {
  /** The method of this library, for example `rooms.list`. */
  readonly operation: string;
  /** The attempt that failed: 1 for the first. */
  readonly attempt: number;
  /** The wait before the next attempt, in milliseconds. */
  readonly delayMs: number;
  /** What the attempt failed with. */
  readonly error: NotetakerError;
}
