/** How long a response asks the caller to wait. */

import { RATE_LIMIT_RESET_HEADER, RETRY_AFTER_HEADER } from "../assumptions.js";
import { parseWholeNumber } from "../schemas/rate-limit.js";
import { parseHttpDate } from "./http-date.js";

/** The current time by the service's clock, if the response has it: the clock of this machine may be wrong. */
const serviceNow = (headers: Headers): number => parseHttpDate(headers.get("date")) ?? Date.now();

/**
 * `Retry-After`, in seconds or as an HTTP date: the wait in milliseconds, or `undefined` if the response does not name
 * one.
 */
export function readRetryAfter(headers: Headers): number | undefined {
  const value = headers.get(RETRY_AFTER_HEADER) ?? "";
  if (/^\d+(\.\d+)?$/.test(value)) return Math.ceil(Number(value) * 1000);
  const date = parseHttpDate(value);
  return date === undefined ? undefined : Math.max(0, date - serviceNow(headers));
}

/**
 * `X-RateLimit-Reset`, in Unix seconds. Every response has this header; only on a 429, it means a wait. Returns the
 * wait in milliseconds.
 */
export function readRateLimitReset(headers: Headers): number | undefined {
  const seconds = parseWholeNumber(headers.get(RATE_LIMIT_RESET_HEADER));
  return seconds === undefined ? undefined : Math.max(0, seconds * 1000 - serviceNow(headers));
}
