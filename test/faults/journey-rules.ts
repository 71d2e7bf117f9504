/** The rules for journeys (methods that send more than one request): the result when one request meets a fault. */
import type { Attempt } from "./cell.js";
import type { Fault } from "./faults.js";

/** How a journey ends, and how many counted requests it sends. */
export interface JourneyEnd {
  /** `succeeds`, what is missing or different, or the name of an error with its outcome. */
  readonly ends: string;
  readonly requests: number;
}

export type JourneyRule = (fault: Fault, attempt: Attempt) => JourneyEnd;

/** Whether the next attempt may succeed. */
const passes = ({ ending }: Fault) => ending !== undefined && ending.again !== "none";

/** Whether the service asks for a wait that is longer than the journey waits. */
export const asksForTooLong = ({ ending }: Fault) => ending?.retryable === true && ending.again === "none";

const errorOf = ({ ending }: Fault, attempt: Attempt): string => {
  if (ending === undefined) return "succeeds";
  // The attempts before this one were refused.
  const outcome = ending.outcome === "not_sent" && attempt > 1 ? "rejected" : ending.outcome;
  return `${ending.error} ${outcome}`;
};

export const likeCall: JourneyRule = (fault, attempt) =>
  passes(fault) && attempt < 3
    ? { ends: "succeeds", requests: attempt + 1 }
    : { ends: errorOf(fault, attempt), requests: attempt };

/** Each link is requested by a separate call. */
export const fetchesLink: JourneyRule = (fault, attempt) => {
  const { ends, requests } = likeCall(fault, attempt);
  return { ends: ends === "succeeds" ? ends : errorOf(fault, 1), requests };
};

/** The source can be read only once, so nothing is sent again. */
export const sentOnce: JourneyRule = (fault, attempt) => ({
  ends: attempt === 1 ? errorOf(fault, attempt) : "RateLimitedError rejected",
  requests: 1,
});

/** Waits after every temporary fault, and if somebody else than the service answered, however often it occurs. */
export const waits: JourneyRule = (fault, attempt) => {
  if (asksForTooLong(fault)) return { ends: "WaitTimeoutError unknown", requests: attempt };
  return passes(fault) || fault.ending?.isForeign
    ? { ends: "succeeds", requests: attempt + 1 }
    : { ends: errorOf(fault, attempt), requests: attempt };
};

/** A 404 means that the transcript is not ready yet. */
export const waitsForTranscript: JourneyRule = (fault, attempt) =>
  fault.ending?.error === "NotFoundError" ? { ends: "succeeds", requests: attempt + 1 } : waits(fault, attempt);

/** The transcript is requested even if the list fails, unless the token is refused. */
export const waitsWithoutList: JourneyRule = (fault, attempt) => {
  const { error } = fault.ending ?? {};
  if (error === "UnauthorizedError") return { ends: errorOf(fault, attempt), requests: attempt };
  if (asksForTooLong(fault)) return { ends: "WaitTimeoutError unknown", requests: attempt };
  return { ends: "succeeds", requests: error === "RateLimitedError" ? attempt + 1 : attempt };
};

/**
 * Any refusal by the storage may mean an expired link, so a fresh link is fetched. So it is with a page of HTML or JSON,
 * which is no recording, however slowly it arrives.
 */
export const downloads: JourneyRule = (fault, attempt) => {
  const { name, ending } = fault;
  if (/^status 30[12378]$/.test(name)) return { ends: errorOf(fault, attempt), requests: attempt };
  // The next response announces another size.
  if (name === "fewer bytes than Content-Length") return { ends: "ConnectionError unknown", requests: attempt + 1 };
  if (ending === undefined) return { ends: "succeeds", requests: attempt };
  // After bytes have arrived, the failures in a row are counted from zero.
  if (attempt < 3 || name.endsWith("in the body")) return { ends: "succeeds", requests: attempt + 1 };
  const isSilent = ending.error === "TimeoutError" && name !== "slow bytes beyond the limit";
  if (ending.outcome === "not_sent" || isSilent) {
    return { ends: errorOf(fault, 1), requests: attempt };
  }
  return { ends: "ConnectionError unknown", requests: attempt };
};

/** Connects again after every temporary fault. Events are handled as they arrive. */
export const subscribes: JourneyRule = (fault, attempt) => {
  const { name, ending } = fault;
  if (name === "status 204 instead of a body") return { ends: "ended without an event", requests: attempt };
  if (ending === undefined || name === "fewer bytes than Content-Length")
    return { ends: "succeeds", requests: attempt };
  if (name === "status 408" || (passes(fault) && !/^(slow bytes|gzip|invalid gzip|chunk)/.test(name))) {
    return { ends: "succeeds", requests: attempt + 1 };
  }
  if (asksForTooLong(fault)) return { ends: "succeeds", requests: attempt + 1 };
  const status = Number(/status (\d+)/.exec(name)?.[1]);
  if (!(status >= 300)) return { ends: "WebhookVerificationError rejected", requests: attempt };
  const named: Record<number, string> = {
    400: "BadRequestError",
    401: "UnauthorizedError",
    403: "ForbiddenError",
    404: "NotFoundError",
  };
  return { ends: `${named[status] ?? "ApiError"} rejected`, requests: attempt };
};
