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

/** The whole numbers of at most twelve digits in a header: several if an application and its proxy both set it. */
export const wholeNumbers = (value: string | null): number[] =>
  (value ?? "").split(/ *, */).flatMap((text) => (/^\d{1,12}$/.test(text) ? [Number(text)] : []));

/**
 * The rate limit that a response reports, or `undefined` if a header is missing or is not a number. Of several values,
 * the one that allows the least counts.
 */
export function readRateLimit(headers: Headers): RateLimit | undefined {
  const limits = wholeNumbers(headers.get(RATE_LIMIT_HEADER));
  const rests = wholeNumbers(headers.get(RATE_LIMIT_REMAINING_HEADER));
  const resets = wholeNumbers(headers.get(RATE_LIMIT_RESET_HEADER));
  if (limits.length === 0 || rests.length === 0 || resets.length === 0) return undefined;
  return {
    limit: Math.min(...limits),
    remaining: Math.min(...rests),
    resetAt: new Date(Math.max(...resets) * 1000),
  };
}

/** Whether a response reports that no request is left in the window, even if it does not say how many there were. */
export const isUsedUp = (headers: Headers): boolean =>
  wholeNumbers(headers.get(RATE_LIMIT_REMAINING_HEADER)).includes(0);
