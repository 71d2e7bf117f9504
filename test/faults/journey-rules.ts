/** What becomes of everything that sends more than one request, when a fault strikes one of them. */
import type { Attempt } from "./cell.js";
import type { Fault } from "./faults.js";

/** How a journey ends, and how many requests of the kind that is struck it sends. */
export interface JourneyEnd {
  /** `succeeds`, what is missing or different, or the name of an error with its outcome. */
  readonly ends: string;
  readonly requests: number;
}

export type JourneyRule = (fault: Fault, attempt: Attempt) => JourneyEnd;

/** Whether the fault may be gone at the next attempt. */
const passes = ({ ending }: Fault) => ending !== undefined && ending.again !== "none";

/** Whether the service asks for a wait that is longer than anybody waits. */
const asksForTooLong = ({ ending }: Fault) => ending?.retryable === true && ending.again === "none";

const isRedirect = ({ name }: Fault) => /^status 30[0-9]$/.test(name);

const errorOf = ({ ending }: Fault, attempt: Attempt): string => {
  if (ending === undefined) return "succeeds";
  // Those before it were refused.
  const outcome = ending.outcome === "not_sent" && attempt > 1 ? "rejected" : ending.outcome;
  return `${ending.error} ${outcome}`;
};

/** As a call that may be repeated. */
export const likeCall: JourneyRule = (fault, attempt) =>
  passes(fault) && attempt < 3
    ? { ends: "succeeds", requests: attempt + 1 }
    : { ends: errorOf(fault, attempt), requests: attempt };

/** A link is requested by a call of its own each time. */
export const fetchesLink: JourneyRule = (fault, attempt) => {
  const { ends, requests } = likeCall(fault, attempt);
  return { ends: ends === "succeeds" ? ends : errorOf(fault, 1), requests };
};

/** Its source can be read once: nothing is sent again. */
export const sentOnce: JourneyRule = (fault, attempt) => ({
  ends: attempt === 1 ? errorOf(fault, attempt) : "RateLimitedError rejected",
  requests: 1,
});

/** Waits for everything that passes, as often as it comes. `givesUp`: how it ends when it has no more time. */
export const waitsFor =
  (givesUp: string): JourneyRule =>
  (fault, attempt) => {
    if (asksForTooLong(fault)) return { ends: givesUp, requests: attempt };
    return passes(fault)
      ? { ends: "succeeds", requests: attempt + 1 }
      : { ends: errorOf(fault, attempt), requests: attempt };
  };

export const waits = waitsFor("WaitTimeoutError unknown");

/** Not found means not yet. */
export const waitsForTranscript: JourneyRule = (fault, attempt) =>
  fault.ending?.error === "NotFoundError" ? { ends: "succeeds", requests: attempt + 1 } : waits(fault, attempt);

/** A list that refuses `expand` is asked once more, without it. */
export const waitsForDocuments: JourneyRule = (fault, attempt) => {
  const mayBeExpand = /^(status 400|status 422|code not_found with status 400)/.test(fault.name);
  const { ends, requests } = waits(fault, attempt);
  return { ends, requests: mayBeExpand ? requests + 1 : requests };
};

/** The transcript is requested whatever becomes of the list, unless nobody may request anything. */
export const waitsWithoutList: JourneyRule = (fault, attempt) => {
  const { error } = fault.ending ?? {};
  if (error === "UnauthorizedError") return { ends: errorOf(fault, attempt), requests: attempt };
  if (asksForTooLong(fault)) return { ends: "WaitTimeoutError unknown", requests: attempt };
  return { ends: "succeeds", requests: error === "RateLimitedError" ? attempt + 1 : attempt };
};

/** Bytes are bytes: the storage says nothing of what they should be. */
const OTHER_BYTES = [
  "slow bytes beyond the limit",
  "Content-Length that cuts the body",
  "gzip cut off",
  "HTML of a proxy with status 200",
  "empty body with status 200",
  "JSON of another shape",
];

/** Any refusal of the storage may be the link's, which is fetched anew. */
export const downloads: JourneyRule = (fault, attempt) => {
  const { name, ending } = fault;
  if (OTHER_BYTES.includes(name)) return { ends: "other bytes", requests: attempt };
  if (/^status 30[12378]$/.test(name)) return { ends: errorOf(fault, attempt), requests: attempt };
  // The next response announces another size.
  if (name === "fewer bytes than Content-Length") return { ends: "ConnectionError unknown", requests: attempt + 1 };
  if (ending === undefined) return { ends: "succeeds", requests: attempt };
  // Bytes have come: it was not the last failure in a row.
  if (attempt < 3 || name.endsWith("in the body")) return { ends: "succeeds", requests: attempt + 1 };
  if (ending.outcome === "not_sent" || ending.error === "TimeoutError") {
    return { ends: errorOf(fault, 1), requests: attempt };
  }
  return { ends: "ConnectionError unknown", requests: attempt };
};

/** The list of an export: without it there is nothing to export. */
export const exportsList: JourneyRule = waitsFor("RateLimitedError rejected");

/** One piece of an export: what cannot be had is listed as missing, and the rest is saved. */
export const exportsPiece =
  (what: string): JourneyRule =>
  (fault, attempt) => {
    const { ending, name } = fault;
    const listed = exportsList(fault, attempt);
    if (ending === undefined || passes(fault) || asksForTooLong(fault)) return listed;
    if (ending.error === "UnauthorizedError") return listed;
    if (isRedirect(fault) && what !== "recording") return listed;
    if (ending.error === "NotFoundError") return { ends: `missing: ${what} not_found`, requests: attempt };
    // It is saved as it came, and reported.
    if (name === "JSON of another shape" && what !== "recording") {
      return { ends: `missing: ${what} invalid`, requests: attempt };
    }
    return { ends: `missing: ${what} failed`, requests: attempt };
  };

export const exportsRecording: JourneyRule = (fault, attempt) => {
  const { name, ending } = fault;
  if (/^status 30[12378]$/.test(name)) return { ends: "missing: recording failed", requests: attempt };
  // The file that changed on the way is downloaded again from its beginning.
  if (name === "fewer bytes than Content-Length") return { ends: "succeeds", requests: attempt + 2 };
  if (ending === undefined || OTHER_BYTES.includes(name)) return { ends: "succeeds", requests: attempt };
  return { ends: "succeeds", requests: attempt + 1 };
};

/** Connects again after everything that may pass; what it reads arrives event by event. */
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
  const named = { 401: "UnauthorizedError", 403: "ForbiddenError" }[status] ?? "ApiError";
  return { ends: `${named} rejected`, requests: attempt };
};
