/**
 * The service of the soak, in a process of its own: an emulator over HTTP that fails one request in twenty, and counts
 * what each call sent. Answers "report" with the counts.
 */
import { createEmulator } from "notetaker-sdk/testing";

const FAULT_RATE = 0.05;
/** What a fault does before the service acts. The others act, and only the answer is lost. */
const FAULTS = [{ status: 503 }, { status: 429, retryAfter: 0 }, "drop", { kind: "truncate" }, { kind: "malformed" }];

/**
 * By the header that names the call: the requests that may be sent only once, the others, and how often a connection
 * was closed instead of an answer to one of those.
 */
const cameOf = new Map();
/** Requests of the waits carry no header. */
const UNNAMED = "none";
let requests = 0;
let faults = 0;

const service = createEmulator({
  token: "soak",
  limits: "none",
  now: () => Date.now(),
  speed: 60,
  onRequest(request) {
    requests += 1;
    const call = request.headers.get("x-soak-call") ?? UNNAMED;
    const came = cameOf.get(call) ?? { once: 0, others: 0, drops: 0 };
    cameOf.set(call, came);
    const isOnce = request.method === "POST" || request.headers.has("x-soak-once");
    if (isOnce) came.once += 1;
    else came.others += 1;
    // Without a status, the connection was closed instead of an answer.
    if (!isOnce && request.status === undefined) came.drops += 1;
    if (Math.random() >= FAULT_RATE) return;
    faults += 1;
    service.faults.next("*", FAULTS[Math.floor(Math.random() * FAULTS.length)]);
  },
});
const seeded = service.meetings.list().length;
const seededBots = service.bots.list().length;
const { url } = await service.listen({ port: 0 });

/** What the other process says of its calls and deliveries. */
const attemptsOf = new Map();
const writes = [];
const made = [];
/** By the delivery, the times at which it was handled. */
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
 * Compares what each call sent with what came. `resent` are requests that no attempt of the client made: a runtime may
 * send one more by itself if the connection is closed before an answer, but never one that may be sent only once.
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
  const deliveries = service.webhooks.deliveries.map(({ event, meetingId, state, attempts }) => ({
    key: `${event} ${meetingId}`,
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
/** How far this process has come, so that the other one does not get too far ahead. */
function reportProgress() {
  const startedAt = performance.now();
  const { deliveries } = service.webhooks;
  const pending = deliveries.filter(({ state }) => state === "pending").length;
  process.send?.({ progress: { facts, pending, delivered: deliveries.length - pending } });
  // After half an hour there are many deliveries: counting them may not be all that this process does.
  setTimeout(reportProgress, Math.max(200, 20 * (performance.now() - startedAt)));
}
reportProgress();
// Without the other process there is nobody to count for.
process.once("disconnect", () => process.exit());
process.send?.({ url });
