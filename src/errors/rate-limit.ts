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

/** In ascending order, not the smallest or the largest alone: a spread of very many values would overflow the stack. */
export const ascending = (numbers: number[]): number[] => numbers.sort((one, other) => one - other);

/** Whole numbers of at most twelve digits, ascending. An application and its proxy may both set a header. */
export const wholeNumbers = (value: string | null): number[] =>
  ascending((value ?? "").split(",").flatMap((text) => (/^\d{1,12}$/.test(text.trim()) ? [Number(text)] : [])));

/** `undefined` if a header is missing or no number. Of several values, the one that allows the least counts. */
export function readRateLimit(headers: Headers): RateLimit | undefined {
  const [limit] = wholeNumbers(headers.get(RATE_LIMIT_HEADER));
  const [remaining] = wholeNumbers(headers.get(RATE_LIMIT_REMAINING_HEADER));
  const reset = wholeNumbers(headers.get(RATE_LIMIT_RESET_HEADER)).at(-1);
  if (limit === undefined || remaining === undefined || reset === undefined) return undefined;
  return { limit, remaining, resetAt: new Date(reset * 1000) };
}

/** Whether a response reports that no request is left in the window, even if it does not say how many there were. */
export const isUsedUp = (headers: Headers): boolean => wholeNumbers(headers.get(RATE_LIMIT_REMAINING_HEADER))[0] === 0;
