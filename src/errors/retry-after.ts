/** How long an answer asks the caller to wait. */
import { RATE_LIMIT_RESET_HEADER, RETRY_AFTER_HEADER } from "../unshown.js";

/** `Retry-After`: seconds, or an HTTP date (counted from the answer's own `Date`, so that a wrong clock does no harm). */
export function readRetryAfter(headers: Headers, now = Date.now()): number | undefined {
  const value = headers.get(RETRY_AFTER_HEADER)?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(value)) return Math.ceil(Number(value) * 1000);
  // An HTTP date begins with the name of a day; `Date.parse` alone would take almost anything.
  if (!/^[A-Z][a-z]{2}/.test(value)) return undefined;
  const at = Date.parse(value);
  const sent = Date.parse(headers.get("date") ?? "");
  return Number.isNaN(at) ? undefined : Math.max(0, at - (Number.isNaN(sent) ? now : sent));
}

/** `X-RateLimit-Reset`, in Unix seconds. It is on every answer: it asks for a wait only on a 429. */
export function readRateLimitReset(headers: Headers, now = Date.now()): number | undefined {
  const value = headers.get(RATE_LIMIT_RESET_HEADER)?.trim() ?? "";
  return /^\d{1,12}$/.test(value) ? Math.max(0, Number(value) * 1000 - now) : undefined;
}
