/** Compares what the calls and the receiver say with what the service has seen. */
import { expect } from "./expect.mjs";

/**
 * How long a receiver remembers a delivery. The service repeats a delivery within two minutes; on a busy machine, the
 * repetition may come later.
 */
const REMEMBERED_MS = 180_000;

/**
 * Bun's `fetch` repeats GET, PUT and DELETE by itself if a reused connection is closed before the response, as RFC
 * 9110, 9.2.2, allows. The middleware sees one attempt. The library prevents this for requests that may be sent only
 * once.
 */
const resends = globalThis.Bun !== undefined;

export function checkCalls({ totals: { calls, attempts }, tally }, report) {
  console.log(
    `${calls} calls, ${attempts} attempts, ${report.requests} requests seen, ${report.faults} faults, ${JSON.stringify(tally)}`,
  );
  checkMade(report);
  const answered = Object.values(tally).reduce((sum, count) => sum + count);
  expect("every call was answered", answered === calls, `${calls} calls`);
  expect("nothing but errors of the library", tally.other === 0, `${tally.other} others`);
  checkRequests(report);
}

function checkMade({ made, bots, created, writes, seeded, seededBots }) {
  const reached = new Set([...bots, ...created]);
  const lost = made.filter((id) => !reached.has(id));
  const figures = `${made.length} bots and uploads, ${lost.length} lost`;
  expect("what a call says it made is there", lost.length === 0, figures);

  const outcomes = writes.map(([, end]) => end);
  const certain = outcomes.filter((end) => end === "succeeded" || end === "accepted").length;
  const possible = certain + outcomes.filter((end) => end === "unknown").length;
  const botIds = new Set(bots);
  const uploadsThere = created.filter((id) => !botIds.has(id)).length - seeded;
  const madeThere = bots.length - seededBots + uploadsThere;
  expect(
    "nothing is made twice",
    madeThere >= certain && madeThere <= possible,
    `${madeThere} at the service; the calls say at least ${certain}, at most ${possible}`,
  );
}

function checkRequests({ requestsOf, writes, account }) {
  const counts = new Map(requestsOf);
  const silent = writes.filter(([name, end]) => end === "succeeded" && !counts.has(name)).length;
  expect("every success was sent", silent === 0, `${silent} without a request`);

  const { resent, notSeen, unexplained } = account;
  expect(
    "each request is an attempt of its call",
    unexplained.length === 0 && (resends || resent === 0),
    `${resent} sent again by the runtime itself${resends ? ", none more often than connections were closed" : ""}; ` +
      `${notSeen} attempts did not arrive${unexplained.length === 0 ? "" : `; not explained: ${JSON.stringify(unexplained.slice(0, 3))}`}`,
  );
}

export function checkDeliveries({ deliveries, handled }) {
  const delivered = deliveries.filter(({ state }) => state === "delivered");
  const handledKeys = new Set(handled.map(([key]) => key));
  const again = handled.map(([, times]) => times).filter((times) => times.length > 1);
  const tooSoon = (times) => times.some((at, index) => index > 0 && at - times[index - 1] < REMEMBERED_MS);
  const twice = again.filter(tooSoon).length;
  const late = again.length - twice;
  const missing = delivered.filter(({ key }) => !handledKeys.has(key)).length;
  const repeated = deliveries.filter(({ attempts }) => attempts > 1).length;
  expect(
    "each delivery is handled once",
    twice === 0 && missing === 0 && delivered.length > 0,
    `${delivered.length} delivered, ${repeated} of them more than once; ${twice} handled twice, ${missing} not at all` +
      (late === 0 ? "" : `; ${late} came again, and were handled, after the 3 minutes that a receiver remembers them`),
  );
}
