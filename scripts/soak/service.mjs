/**
 * The service of the soak test, in a separate process: an emulator over HTTP that fails one of twenty requests. It
 * responds to each message with what it has.
 */
import { createEmulator } from "notetaker-sdk/testing";

const FAULT_RATE = 0.05;
/** With `truncate` and `malformed`, the service acts and only the response is lost. With the others, it does not act. */
const FAULTS = [
  { status: 503 },
  { status: 429, retryAfterSeconds: 0 },
  "drop",
  { kind: "truncate" },
  { kind: "malformed" },
];

let requests = 0;
let faults = 0;
const service = createEmulator({
  token: "soak",
  limits: "none",
  now: () => Date.now(),
  speed: 60,
  onRequest() {
    requests += 1;
    // The first two requests prepare the test.
    if (requests < 3 || Math.random() >= FAULT_RATE) return;
    faults += 1;
    service.faults.next("*", FAULTS[Math.floor(Math.random() * FAULTS.length)]);
  },
});
const { url } = await service.listen({ port: 0 });

process.on("message", () => {
  const links = service.bots.list().map(({ meetingUrl }) => meetingUrl);
  const titles = service.meetings.list().map(({ title }) => title);
  const deliveries = service.webhooks.deliveries.map(({ kind, meetingId, state, attempts }) => ({
    key: `${kind} ${meetingId}`,
    state,
    attempts: attempts.length,
  }));
  process.send?.({ requests, faults, made: [...links, ...titles], deliveries });
});
// Ends together with the other process.
process.once("disconnect", () => process.exit());
process.send?.({ url });
