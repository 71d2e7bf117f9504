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

/** The whole number of at most twelve digits in a header; `undefined` if it has none. */
export function headerNumber(headers: Headers, name: string): number | undefined {
  const value = headers.get(name) ?? "";
  return /^\d{1,12}$/.test(value) ? Number(value) : undefined;
}

/** The rate limit that a response reports, or `undefined` if a header is missing or is not a number. */
export function readRateLimit(headers: Headers): RateLimit | undefined {
  const limit = headerNumber(headers, RATE_LIMIT_HEADER);
  const remaining = headerNumber(headers, RATE_LIMIT_REMAINING_HEADER);
  const reset = headerNumber(headers, RATE_LIMIT_RESET_HEADER);
  if (limit === undefined || remaining === undefined || reset === undefined) return undefined;
  return { limit, remaining, resetAt: new Date(reset * 1000) };
}
