import { RATE_LIMIT_RESET_HEADER, RETRY_AFTER_HEADER } from "../assumptions.js";
import { wholeNumber } from "./rate-limit.js";

/** About a year. A header may name a longer time, also one that is infinite as a number. */
export const MAX_WAIT_MS = 3e10;

const limited = (ms: number): number => Math.max(0, Math.min(ms, MAX_WAIT_MS));

/** The form that RFC 9110, 5.6.7, prescribes for senders. `Date.parse` would also read other texts, in local time. */
const HTTP_DATE = /^[a-z]{3}, \d\d [a-z]{3} \d{4} (?:[01]\d|2[0-3])(?::[0-5]\d){2} GMT$/i;

/** The date in milliseconds since 1970, or `undefined` if `value` is not an HTTP date. */
function parseHttpDate(value: string): number | undefined {
  const time = HTTP_DATE.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** The current time by the service's clock, if the response has it: the clock of this machine may be wrong. */
const serviceNow = (headers: Headers): number => parseHttpDate(headers.get("date") ?? "") ?? Date.now();

/** Seconds or an HTTP date, as milliseconds up to `MAX_WAIT_MS`. */
export function readRetryAfter(headers: Headers): number | undefined {
  const value = headers.get(RETRY_AFTER_HEADER) ?? "";
  if (/^\d+(\.\d+)?$/.test(value)) return limited(Math.ceil(Number(value) * 1000));
  const date = parseHttpDate(value);
  return date === undefined ? undefined : limited(date - serviceNow(headers));
}

/** Milliseconds until `X-RateLimit-Reset`, up to `MAX_WAIT_MS`. Every response has it; only a 429 asks to wait. */
export function readRateLimitReset(headers: Headers): number | undefined {
  const seconds = wholeNumber(headers, RATE_LIMIT_RESET_HEADER);
  return seconds === undefined ? undefined : limited(seconds * 1000 - serviceNow(headers));
}
