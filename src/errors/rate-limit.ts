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

/** `undefined` if the header is missing or no whole number: an application and its proxy may both have set it. */
export function wholeNumber(headers: Headers, name: string): number | undefined {
  const value = headers.get(name) ?? "";
  return /^\d{1,12}$/.test(value) ? Number(value) : undefined;
}

/** `undefined` if a header is missing or no number. */
export function readRateLimit(headers: Headers): RateLimit | undefined {
  const limit = wholeNumber(headers, RATE_LIMIT_HEADER);
  const remaining = wholeNumber(headers, RATE_LIMIT_REMAINING_HEADER);
  const reset = wholeNumber(headers, RATE_LIMIT_RESET_HEADER);
  if (limit === undefined || remaining === undefined || reset === undefined) return undefined;
  return { limit, remaining, resetAt: new Date(reset * 1000) };
}

/** Whether a response reports that no request is left in the window, even if it does not say how many there were. */
export const isUsedUp = (headers: Headers): boolean => wholeNumber(headers, RATE_LIMIT_REMAINING_HEADER) === 0;
