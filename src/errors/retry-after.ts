/** How long an answer asks the caller to wait. */
import { RATE_LIMIT_RESET_HEADER, RETRY_AFTER_HEADER } from "../unshown.js";

/** `Retry-After`: seconds, or an HTTP date (counted from the answer's own `Date`, so that a wrong clock does no harm). */
export function readRetryAfter(headers: Headers): number | undefined {
  const value = headers.get(RETRY_AFTER_HEADER) ?? "";
  if (/^\d+(\.\d+)?$/.test(value)) return Math.ceil(Number(value) * 1000);
  // An HTTP date begins with the name of a day; `Date.parse` alone would take almost anything.
  const at = /^[A-Z][a-z]{2}/.test(value) && Date.parse(value);
  const sent = Date.parse(headers.get("date") ?? "") || Date.now();
  return at ? Math.max(0, at - sent) : undefined;
}

/** `X-RateLimit-Reset`, in Unix seconds. It is on every answer: it asks for a wait only on a 429. */
export function readRateLimitReset(headers: Headers): number | undefined {
  const value = headers.get(RATE_LIMIT_RESET_HEADER) ?? "";
  return /^\d{1,12}$/.test(value) ? Math.max(0, Number(value) * 1000 - Date.now()) : undefined;
}
