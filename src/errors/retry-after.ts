import { RATE_LIMIT_RESET_HEADER, RETRY_AFTER_HEADER } from "../assumptions.js";
import { ascending, wholeNumbers } from "./rate-limit.js";

/** About a year. A header may name a longer time, also one that is infinite as a number. */
export const MAX_WAIT_MS = 3e10;

/** The longest of several waits, from 0 to `MAX_WAIT_MS`; `undefined` if there is none. */
function longestWait(waits: number[]): number | undefined {
  const longest = ascending(waits).at(-1);
  return longest === undefined ? undefined : Math.max(0, Math.min(longest, MAX_WAIT_MS));
}

/** RFC 9110, 5.6.7, and asctime (in GMT, unsaid). `Date.parse` would also read other texts, in local time. */
const HTTP_DATE = /^[a-z]{3,9}, \d\d[ -][a-z]{3}[ -]\d\d(?:\d\d)? (?:[01]\d|2[0-3])(?::[0-5]\d){2} GMT$/i;
const ASCTIME_DATE = /^[a-z]{3} [a-z]{3} [ \d]\d (?:[01]\d|2[0-3])(?::[0-5]\d){2} \d{4}$/i;

/** The date in milliseconds since 1970, or `undefined` if `value` is not an HTTP date. */
function parseHttpDate(value: string): number | undefined {
  const isAsctime = ASCTIME_DATE.test(value);
  const time = isAsctime || HTTP_DATE.test(value) ? Date.parse(isAsctime ? `${value} GMT` : value) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** The values of a header, which may be dates with a comma: several if an application and its proxy both set it. */
const valuesOf = (headers: Headers, name: string): string[] =>
  (headers.get(name) ?? "").split(/,(?! *\d\d[ -][a-z])/i).map((value) => value.trim());

/** The current time by the service's clock, if the response has it: the clock of this machine may be wrong. */
function serviceNow(headers: Headers): number {
  const [earliest = Date.now()] = ascending(valuesOf(headers, "date").flatMap((value) => parseHttpDate(value) ?? []));
  return earliest;
}

/** Seconds or an HTTP date, as milliseconds. Of several values, the longest wait counts, up to `MAX_WAIT_MS`. */
export function readRetryAfter(headers: Headers): number | undefined {
  const now = serviceNow(headers);
  const waits = valuesOf(headers, RETRY_AFTER_HEADER).flatMap((value) => {
    if (/^\d+(\.\d+)?$/.test(value)) return Math.ceil(Number(value) * 1000);
    const date = parseHttpDate(value);
    return date === undefined ? [] : date - now;
  });
  return longestWait(waits);
}

/** Milliseconds until `X-RateLimit-Reset`, up to `MAX_WAIT_MS`. Every response has it; only a 429 asks to wait. */
export function readRateLimitReset(headers: Headers): number | undefined {
  const now = serviceNow(headers);
  return longestWait(wholeNumbers(headers.get(RATE_LIMIT_RESET_HEADER)).map((time) => time * 1000 - now));
}
