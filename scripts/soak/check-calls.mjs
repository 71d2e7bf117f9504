/** Compares what the calls and the receiver say with what the service has. */
import { expect } from "./expect.mjs";

/**
 * How long a receiver remembers a delivery. The service repeats a delivery within two minutes; on a busy machine, the
 * repetition may come later.
 */
const REMEMBERED_MS = 180_000;

/** How often the service may have made what a call with this outcome should make. */
const MADE = { succeeded: [1], accepted: [1], unknown: [0, 1], rejected: [0], not_sent: [0] };

export function checkCalls({ calls, tally }, facts, { requests, faults, made }) {
  console.log(`${calls} calls, ${requests} requests seen, ${faults} faults, ${JSON.stringify(tally)}`);
  const answered = Object.values(tally).reduce((sum, count) => sum + count);
  expect("every call was answered", answered === calls, `${calls} calls`);
  expect("nothing but errors of the library", tally.other === 0, `${tally.other} others`);

  const counts = new Map();
  for (const name of made) counts.set(name, (counts.get(name) ?? 0) + 1);
  const writes = facts.filter(({ write }) => write !== undefined);
  const wrong = writes.filter(({ write, outcome }) => !MADE[outcome]?.includes(counts.get(write) ?? 0));
  const first = wrong
    .slice(0, 3)
    .map(({ write, outcome }) => `${write}: ${outcome}, made ${counts.get(write) ?? 0} times`);
  expect(
    "each bot and each upload was made once, or not at all, as its call says",
    wrong.length === 0 && writes.length > 0,
    `${writes.length} calls, ${wrong.length} wrong ${first.join("; ")}`,
  );
}

export function checkDeliveries(facts, { deliveries }) {
  const timesOf = new Map();
  for (const { handled, at } of facts) if (handled) timesOf.set(handled, [...(timesOf.get(handled) ?? []), at]);
  const again = [...timesOf.values()].filter((times) => times.length > 1);
  const twice = again.filter((times) => times.some((at, index) => index > 0 && at - times[index - 1] < REMEMBERED_MS));
  const delivered = deliveries.filter(({ state }) => state === "delivered");
  const missing = delivered.filter(({ key }) => !timesOf.has(key)).length;
  const repeated = deliveries.filter(({ attempts }) => attempts > 1).length;
  const late = again.length - twice.length;
  expect(
    "each delivery is handled once",
    twice.length === 0 && missing === 0 && delivered.length > 0,
    `${delivered.length} delivered, ${repeated} of them more than once; ${twice.length} handled twice, ${missing} not at all` +
      (late === 0 ? "" : `; ${late} came again, and were handled, after the 3 minutes that a receiver remembers them`),
  );
}
