import { isNotetakerError } from "notetaker-sdk/browser";

/** By the code of an issue: your words, as the library's are for developers. */
const BY_CODE: Record<string, string> = {
  not_a_link: "There is no link in it. Paste the link or the whole invitation.",
  unsupported_link:
    "The bot joins calls of Zoom, Google Meet, Microsoft Teams and Webex.",
  not_one_of: "Choose an audio or video recording.",
};

/** `ifUnknown` is said when the service may have acted all the same. */
export function sentenceOf(error: unknown, ifUnknown: string) {
  if (!isNotetakerError(error)) return ifUnknown;
  if (error.name === "RateLimitedError")
    return `Too many requests. Try again in ${Math.ceil((error.retryAfterMs ?? 60_000) / 1_000)} s.`;
  if (error.outcome === "unknown") return ifUnknown;
  if (error.name === "ConnectionError" || error.name === "TimeoutError")
    return "The service does not answer. Try again in a minute.";
  if (error.name === "ForbiddenError")
    return "Your account may not do this, or its plan is used up.";
  const [issue] = error.name === "InvalidArgumentError" ? error.issues : [];
  return BY_CODE[issue?.code ?? ""] ?? "This did not work. Try again.";
}
