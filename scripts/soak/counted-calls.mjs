/** A client whose calls, requests and responses are counted, and reported to the service's process. */
import { isNotetakerError, Notetaker } from "notetaker-sdk";
import { callOf, isOnce, markedAs, UNNAMED } from "./call-marks.mjs";

export function countedCalls(url, signal, note) {
  const totals = { calls: 0, attempts: 0 };
  const tally = { succeeded: 0, rejected: 0, not_sent: 0, accepted: 0, unknown: 0, other: 0 };
  /** The calls in progress by their numbers, so that an error can name a call that hangs. */
  const underWay = new Map();
  /** For each call in progress: how many requests were sent, and how many responses were received. */
  const sentOf = new Map();

  async function countAttempt(request, next) {
    totals.attempts += 1;
    const name = callOf(request);
    const sent = sentOf.get(name) ?? { once: 0, others: 0, answers: 0 };
    sentOf.set(name, sent);
    if (isOnce(request)) sent.once += 1;
    else sent.others += 1;
    const response = await next(request);
    sent.answers += 1;
    return response;
  }

  /** Runs one call, and counts its outcome. */
  async function call(what, run, isWrite = false) {
    totals.calls += 1;
    const name = String(totals.calls);
    underWay.set(name, what);
    try {
      const result = await run({ signal, headers: markedAs(name) });
      tally.succeeded += 1;
      if (isWrite) note({ write: name, end: "succeeded" });
      return result;
    } catch (error) {
      const outcome = isNotetakerError(error) ? error.outcome : "other";
      if (outcome === "other") console.error(error);
      tally[outcome] += 1;
      if (isWrite) note({ write: name, end: outcome });
      return undefined;
    } finally {
      underWay.delete(name);
      // The requests of a wait do not have the name of the call.
      if (sentOf.has(name)) note({ call: name, ...sentOf.get(name) });
      sentOf.delete(name);
    }
  }

  return {
    notetaker: new Notetaker({ baseUrl: url, token: "soak", maxRetryDelayMs: 200, middleware: [countAttempt] }),
    totals,
    tally,
    call,
    callsUnderWay: () => [...underWay].map(([name, what]) => `call ${name} (${what})`).join(", "),
    noteUnnamed: () => note({ call: UNNAMED, ...sentOf.get(UNNAMED) }),
  };
}
