/**
 * The service of the soak test, in a separate process: an emulator over HTTP that fails one of twenty requests, and
 * counts the requests of each call. It responds to the message "report" with the counts.
 */
import { createEmulator } from "notetaker-sdk/testing";
import { callOf, isOnce } from "./call-marks.mjs";

const FAULT_RATE = 0.05;
/**
 * The faults. With `truncate` and `malformed`, the service acts and only the response is lost. With the others, it does
 * not act.
 */
const FAULTS = [
  { status: 503 },
  { status: 429, retryAfterSeconds: 0 },
  "drop",
  { kind: "truncate" },
  { kind: "malformed" },
];

/**
 * The requests that arrived for each call: those that may be sent only once, all others, and how often the connection
 * of one of the others was closed without a response.
 */
const cameOf = new Map();
let requests = 0;
let faults = 0;

const service = createEmulator({
  token: "soak",
  limits: "none",
  now: () => Date.now(),
  speed: 60,
  onRequest(request) {
    requests += 1;
    const call = callOf(request);
    const came = cameOf.get(call) ?? { once: 0, others: 0, drops: 0 };
    cameOf.set(call, came);
    const once = isOnce(request);
    if (once) came.once += 1;
    else came.others += 1;
    // Without a status, the connection was closed without a response.
    if (!once && request.status === undefined) came.drops += 1;
    if (Math.random() >= FAULT_RATE) return;
    faults += 1;
    service.faults.next("*", FAULTS[Math.floor(Math.random() * FAULTS.length)]);
  },
});
const seeded = service.meetings.list().length;
const seededBots = service.bots.list().length;
const { url } = await service.listen({ port: 0 });

/** The facts that the other process reports about its calls and deliveries. */
const attemptsOf = new Map();
const writes = [];
const made = [];
/** For each delivery, the times at which it was handled. */
const handled = new Map();

let facts = 0;

function noteFact(fact) {
  facts += 1;
  if (fact.call !== undefined) addAttempts(fact.call, fact);
  else if (fact.write !== undefined) writes.push([fact.write, fact.end]);
  else if (fact.made !== undefined) made.push(fact.made);
  else handled.set(fact.handled, [...(handled.get(fact.handled) ?? []), fact.at]);
}

function addAttempts(call, { once, others, answers }) {
  const attempts = attemptsOf.get(call) ?? { once: 0, others: 0, answers: 0 };
  attempts.once += once;
  attempts.others += others;
  attempts.answers += answers;
  attemptsOf.set(call, attempts);
}

/**
 * Compares the requests that each call sent with those that arrived. `resent` are requests that no attempt of the
 * client made: a runtime may repeat a request by itself if the connection is closed before a response, but never a
 * request that may be sent only once.
 */
function account() {
  const result = { resent: 0, notSeen: 0, unexplained: [] };
  for (const call of new Set([...attemptsOf.keys(), ...cameOf.keys()])) {
    const sent = attemptsOf.get(call) ?? { once: 0, others: 0, answers: 0 };
    const came = cameOf.get(call) ?? { once: 0, others: 0, drops: 0 };
    const resent = Math.max(0, came.others - sent.others);
    const answered = sent.answers <= came.once + came.others;
    if (came.once > sent.once || resent > came.drops || !answered) result.unexplained.push({ call, sent, came });
    result.resent += resent;
    result.notSeen += Math.max(0, sent.once - came.once) + Math.max(0, sent.others - came.others);
  }
  return result;
}

process.on("message", (message) => {
  if (message !== "report") return noteFact(message);
  const created = new Set(service.meetings.list().map(({ id }) => id));
  const deliveries = service.webhooks.deliveries.map(({ kind, meetingId, state, attempts }) => ({
    key: `${kind} ${meetingId}`,
    state,
    attempts: attempts.length,
  }));
  process.send?.({
    report: {
      requests,
      faults,
      seeded,
      seededBots,
      requestsOf: [...cameOf].map(([call, { once, others }]) => [call, once + others]),
      account: account(),
      writes,
      made,
      handled: [...handled],
      created: [...created],
      bots: service.bots.list().map(({ meetingId }) => meetingId),
      deliveries,
    },
  });
  return undefined;
});
/** Reports the progress of this process, so that the other process can wait if it is too far ahead. */
function reportProgress() {
  const startedAt = performance.now();
  const { deliveries } = service.webhooks;
  const pending = deliveries.filter(({ state }) => state === "pending").length;
  process.send?.({ progress: { facts, pending, delivered: deliveries.length - pending } });
  // After half an hour there are many deliveries. The pause grows with the time to count them, so that counting takes
  // at most a twentieth of the time.
  setTimeout(reportProgress, Math.max(200, 20 * (performance.now() - startedAt)));
}
reportProgress();
// Ends together with the other process.
process.once("disconnect", () => process.exit());
process.send?.({ url });
