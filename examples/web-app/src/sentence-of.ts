/** What a person reads about a failure: the library's messages are for developers. */
import { isNotetakerError } from "notetaker-sdk/browser";

/** By the outcome of a write, and by the code of an issue. */
const WORDS = {
  bot: {
    accepted: "The bot is on its way; do not send it again.",
    unknown:
      "The bot may be on its way: look at your meetings before you send another.",
    missing: "Paste the link of the call first.",
    not_a_link: "There is no link in it. Paste the link or the invitation.",
    unsupported_link:
      "The bot cannot join this call. It joins calls of Zoom, Google Meet, Microsoft Teams and Webex.",
  },
  upload: {
    accepted: "The recording is uploaded; do not upload it again.",
    unknown:
      "The recording may be uploaded: look at your meetings before you upload it again.",
    not_one_of:
      "This file cannot be transcribed. Choose an audio or video recording.",
    413: "This file is larger than the server accepts.",
  },
  share: {
    accepted: "The meeting is shared; there is no need to do it again.",
    unknown: "It may be shared: open this dialog again to see who can read it.",
    invalid: "Write one address, such as ada@example.com.",
  },
  revoke: {
    accepted: "The access is revoked; there is no need to do it again.",
    unknown: "The access may be revoked: open this dialog again to see.",
  },
};

const OFFLINE = "You are offline.";
const UNREACHED = "The server did not answer. Check your connection.";
const NO_ANSWER = "The service does not answer. Try again in a minute.";

const BY_NAME: Record<string, string> = {
  UnauthorizedError: "Your session has ended. Log in again.",
  ForbiddenError: "Your account may not do this, or its plan is used up.",
  NotFoundError: "This does not exist any more, or you may not see it.",
  BadRequestError: "The service refused this. Check what you have entered.",
  InvalidRequestError: "The service refused this. Check what you have entered.",
  MeetingFailedError: "This meeting was not recorded.",
  ServerError: NO_ANSWER,
  ConnectionError: NO_ANSWER,
  TimeoutError: NO_ANSWER,
  WaitTimeoutError: "This takes longer than usual. Try again later.",
};

/** `action` is the write that has failed, if it is not a read. */
export function sentenceOf(error: unknown, action?: keyof typeof WORDS) {
  const words: Record<string, string> = action ? WORDS[action] : {};
  const isOffline = globalThis.navigator?.onLine === false;
  // A request of the page that got no answer: the server may have it.
  if (!isNotetakerError(error))
    return [isOffline ? OFFLINE : UNREACHED, words.unknown]
      .filter(Boolean)
      .join(" ");
  if (error.name === "RateLimitedError")
    return `Too many requests. Try again in ${timeOf(error.retryAfterMs)}.`;
  // It is the server's token that the service refuses, and not the user.
  if ("code" in error && error.code === "upstream_unauthorized")
    return "The service refuses this account. Your administrator has to connect it again.";
  const [issue] = error.name === "InvalidArgumentError" ? error.issues : [];
  const status = "status" in error ? String(error.status) : "";
  const sentence =
    words[error.outcome] ??
    words[issue?.code ?? status] ??
    BY_NAME[error.name] ??
    "This did not work. Try again, or ask your administrator.";
  return isOffline ? `${OFFLINE} ${sentence}` : sentence;
}

function timeOf(retryAfterMs = 60_000) {
  const seconds = Math.ceil(retryAfterMs / 1_000);
  return seconds > 120 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} s`;
}
