import { isNotetakerError } from "notetaker-sdk/browser";

/**
 * What the user reads about a failed request. `ifUnknown` is said when the
 * service may have acted all the same.
 */
export function sentenceOf(error: unknown, ifUnknown?: string): string {
  if (!isNotetakerError(error))
    return "The server did not answer. Check your connection.";
  if (error.name === "RateLimitedError") {
    const seconds = Math.ceil((error.retryAfterMs ?? 60_000) / 1_000);
    return `Too many requests. Try again in ${seconds} s.`;
  }
  if (error.outcome === "unknown" && ifUnknown) return ifUnknown;
  return error.message;
}
