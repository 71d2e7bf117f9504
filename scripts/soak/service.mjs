/**
 * The service of the soak, in a process of its own: an emulator over HTTP that fails one request in twenty, and counts
 * what each call sent. Answers "report" with the counts.
 */
import { createEmulator } from "notetaker-sdk/testing";

const FAULT_RATE = 0.05;
/** What a fault does before the service acts. The others act, and only the answer is lost. */
const FAULTS = [{ status: 503 }, { status: 429, retryAfter: 0 }, "drop", { kind: "truncate" }, { kind: "malformed" }];

/** By the header that names the call: how many requests came. */
const requestsOf = new Map();
let requests = 0;
let faults = 0;

const service = createEmulator({
  token: "soak",
  limits: "none",
  now: () => Date.now(),
  speed: 60,
  onRequest(request) {
    requests += 1;
    const call = request.headers.get("x-soak-call");
    if (call !== null) requestsOf.set(call, (requestsOf.get(call) ?? 0) + 1);
    if (Math.random() >= FAULT_RATE) return;
    faults += 1;
    service.faults.next("*", FAULTS[Math.floor(Math.random() * FAULTS.length)]);
  },
});
const seeded = service.meetings.list().length;
const seededBots = service.bots.list().length;
const { url } = await service.listen({ port: 0 });

/** What the other process says of its calls and deliveries. */
const writes = [];
const made = [];
const handled = new Map();

let facts = 0;

function noteFact(fact) {
  facts += 1;
  if (fact.write !== undefined) writes.push([fact.write, fact.end]);
  else if (fact.made !== undefined) made.push(fact.made);
  else handled.set(fact.handled, (handled.get(fact.handled) ?? 0) + 1);
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
      requestsOf: [...requestsOf],
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
setInterval(() => {
  const pending = service.webhooks.deliveries.filter(({ state }) => state === "pending").length;
  process.send?.({ progress: { facts, pending } });
}, 200);
// Without the other process there is nobody to count for.
process.once("disconnect", () => process.exit());
process.send?.({ url });
