/** How long a response asks the caller to wait. */
import { parseWholeNumber } from "../schemas/rate-limit.js";
import { RATE_LIMIT_RESET_HEADER, RETRY_AFTER_HEADER } from "../unshown.js";
import { parseHttpDate } from "./http-date.js";

/** The time by the service's clock, if the response has it, so that a wrong clock of this machine does not matter. */
const serviceNow = (headers: Headers): number => parseHttpDate(headers.get("date")) ?? Date.now();

/** `Retry-After`, in seconds or as an HTTP date: the wait in milliseconds, or `undefined` without a hint. */
export function readRetryAfter(headers: Headers): number | undefined {
  const value = headers.get(RETRY_AFTER_HEADER) ?? "";
  if (/^\d+(\.\d+)?$/.test(value)) return Math.ceil(Number(value) * 1000);
  const date = parseHttpDate(value);
  return date === undefined ? undefined : Math.max(0, date - serviceNow(headers));
}

/** `X-RateLimit-Reset`, in Unix seconds. Every response has it; only on a 429 does it mean a wait. */
export function readRateLimitReset(headers: Headers): number | undefined {
  const seconds = parseWholeNumber(headers.get(RATE_LIMIT_RESET_HEADER));
  return seconds === undefined ? undefined : Math.max(0, seconds * 1000 - serviceNow(headers));
}
