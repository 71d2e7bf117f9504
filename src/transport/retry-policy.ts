/** The rules for retries, which `run-call.ts` applies. `errors/is-temporary.ts` tells which failures are temporary. */

import type { RetryClass } from "../endpoints/endpoint.js";
import { ApiError, RateLimitedError } from "../errors/api-error.js";
import { ConnectionError } from "../errors/call-errors.js";
import type { AnyNotetakerError } from "../errors/error-classes.js";
import { isRateLimited, isTemporary } from "../errors/is-temporary.js";
import { readRateLimitReset, readRetryAfter } from "../errors/retry-after.js";

/** The first backoff is a random time up to this, in milliseconds. The maximum doubles with each further retry. */
export const BACKOFF_BASE_MS = 500;

export interface RetryRules {
  retry: RetryClass;
  bodyRepeatable: boolean;
  maxRetries: number;
  maxRetryDelayMs: number;
}

/** Whether sending the same request again is safe, and may help. */
export function mayRepeat(
  error: unknown,
  { retry, bodyRepeatable }: Pick<RetryRules, "retry" | "bodyRepeatable">,
): boolean {
  if (!bodyRepeatable || !isTemporary(error)) return false;
  if (retry === "repeatable") return true;
  // An unrepeatable request is sent again only if it certainly had no effect. A 5xx may have had one, whatever its code.
  return (
    (isRateLimited(error) && error.status < 500) || (error instanceof ConnectionError && error.outcome === "not_sent")
  );
}

/** The wait that the service asks for, in milliseconds; `undefined` if the response names none. */
export function hintMs(error: unknown): number | undefined {
  if (error instanceof RateLimitedError) return error.retryAfterMs;
  if (!(error instanceof ApiError)) return undefined;
  // A 429 whose body has another code, or the validation envelope, is of another class.
  return readRetryAfter(error.headers) ?? (error.status === 429 ? readRateLimitReset(error.headers) : undefined);
}

/** The wait before retry number `retry` (1 for the first), in milliseconds. `undefined` if there is no retry. */
export function retryDelayMs(error: unknown, retry: number, rules: RetryRules): number | undefined {
  if (retry > rules.maxRetries || !mayRepeat(error, rules)) return undefined;
  const hint = hintMs(error);
  if (hint !== undefined) return hint <= rules.maxRetryDelayMs ? hint : undefined;
  return Math.floor(Math.random() * Math.min(rules.maxRetryDelayMs, BACKOFF_BASE_MS * 2 ** (retry - 1)));
}

/** The argument of {@link ClientOptions.onRetry}. */
export interface RetryReport {
  /** The method of this library, for example `rooms.list`. */
  readonly operation: string;
  /** The number of the attempt that failed, starting at 1. */
  readonly attempt: number;
  /** The wait before the next attempt, in milliseconds. */
  readonly delayMs: number;
  /** The error of the attempt. */
  readonly error: AnyNotetakerError;
}
