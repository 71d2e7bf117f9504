/** The rate-limit headers (level A: on every response). Their names are in `unshown.ts`. */
import { RATE_LIMIT_HEADER, RATE_LIMIT_REMAINING_HEADER, RATE_LIMIT_RESET_HEADER } from "../unshown.js";

/** The rate limit that a response reports in its headers. */
export interface RateLimit {
  /** Requests in the window. */
  limit: number;
  /** Requests left in the window. */
  remaining: number;
  /** When the window ends. */
  resetAt: Date;
}

/** A whole number of at most twelve digits, as these headers write it. */
export const parseWholeNumber = (value: string | null) =>
  value !== null && /^\d{1,12}$/.test(value) ? Number(value) : undefined;

/** The rate limit that a response reports, or `undefined` if a header is missing or is not a number. */
export function readRateLimit(headers: Headers): RateLimit | undefined {
  const limit = parseWholeNumber(headers.get(RATE_LIMIT_HEADER));
  const remaining = parseWholeNumber(headers.get(RATE_LIMIT_REMAINING_HEADER));
  const reset = parseWholeNumber(headers.get(RATE_LIMIT_RESET_HEADER));
  if (limit === undefined || remaining === undefined || reset === undefined) return undefined;
  return { limit, remaining, resetAt: new Date(reset * 1000) };
}
