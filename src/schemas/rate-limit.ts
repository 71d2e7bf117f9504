/** The headers that report a rate limit (documented: on every response). */
import { RATE_LIMIT_HEADER, RATE_LIMIT_REMAINING_HEADER, RATE_LIMIT_RESET_HEADER } from "../assumptions.js";

/** The rate limit that a response reports in its headers. */
export interface RateLimit {
  /** How many requests the window allows. */
  limit: number;
  /** How many requests are left in the window. */
  remaining: number;
  /** When the window ends. */
  resetAt: Date;
}

/** Reads a whole number of at most twelve digits from a header. */
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
