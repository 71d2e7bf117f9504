/** How long a response asks the caller to wait. */

import { RATE_LIMIT_RESET_HEADER, RETRY_AFTER_HEADER } from "../assumptions.js";
import { headerNumber } from "./rate-limit.js";

/**
 * A date as servers write it (RFC 9110, section 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`. `Date.parse` alone would also
 * accept many other texts, in local time.
 */
const HTTP_DATE = /^[a-z]{3}, \d\d [a-z]{3} \d{4} (?:[01]\d|2[0-3])(?::[0-5]\d){2} GMT$/i;

/** The date in milliseconds since 1970; `NaN` if `value` is not an HTTP date. */
const parseHttpDate = (value: string): number => (HTTP_DATE.test(value) ? Date.parse(value) : Number.NaN);

/** The current time by the service's clock, if the response has it: the clock of this machine may be wrong. */
const serviceNow = (headers: Headers): number => parseHttpDate(headers.get("date") ?? "") || Date.now();

/** `Retry-After`, in seconds or as an HTTP date: the wait in milliseconds, or `undefined` if the response has none. */
export function readRetryAfter(headers: Headers): number | undefined {
  const value = headers.get(RETRY_AFTER_HEADER) ?? "";
  if (/^\d+(\.\d+)?$/.test(value)) return Math.ceil(Number(value) * 1000);
  const date = parseHttpDate(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - serviceNow(headers));
}

/**
 * `X-RateLimit-Reset`, in Unix seconds. Every response has this header; only on a 429, it means a wait. Returns the
 * wait in milliseconds.
 */
export function readRateLimitReset(headers: Headers): number | undefined {
  const reset = headerNumber(headers, RATE_LIMIT_RESET_HEADER);
  return reset === undefined ? undefined : Math.max(0, reset * 1000 - serviceNow(headers));
}
