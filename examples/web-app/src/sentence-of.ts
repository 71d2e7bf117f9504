import { isNotetakerError } from "notetaker-sdk/browser";

/** By the code of an issue: our own words, as the library's are for developers. */
const BY_CODE: Record<string, string> = {
  missing: "Paste the link of the call first.",
  not_a_link: "This is not a link. Copy the whole link from the invitation.",
  unsupported_link:
    "The bot cannot join this call. It joins calls of Zoom, Google Meet, Microsoft Teams and Webex.",
  not_one_of:
    "This file cannot be transcribed. Choose an audio or video recording.",
};

const BY_NAME: Record<string, string> = {
  BadRequestError: "The service refused this. Check what you have entered.",
  ForbiddenError: "Your account may not do this, or its plan is used up.",
  NotFoundError: "This does not exist any more, or you may not see it.",
};

// #region sentence
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
  const noAnswer = "The service does not answer. Try again in a minute.";
  if (error.outcome === "unknown") return ifUnknown ?? noAnswer;
  if (error.name === "ConnectionError" || error.name === "TimeoutError")
    return noAnswer;
  const [issue] = error.name === "InvalidArgumentError" ? error.issues : [];
  return (
    BY_CODE[issue?.code ?? ""] ??
    BY_NAME[error.name] ??
    "This did not work. Try again, or ask your administrator."
  );
}
// #endregion
