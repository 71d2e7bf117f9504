/**
 * `npm run soak`, the soak test: many concurrent calls for several minutes, against a service that fails one of twenty
 * requests.
 *
 *   npm run build && npm run soak [-- --minutes 30 --concurrency 50]
 *
 * `npm run soak -- sync` is another program, of sync.mjs.
 *
 * It checks that the resources of the process do not grow (heap after garbage collection, file handles, timers,
 * sockets, listeners), and that the service has made what each call says. Prints each result, and fails if one check
 * fails. Every wait has a time limit, with an error that names the missing event.
 */
import { mkdtempSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { checkCalls, checkDeliveries } from "./check-calls.mjs";
import { endAfter } from "./expect.mjs";
import { EVENTS, startReceiver } from "./failing-receiver.mjs";
import { checkResources, sampleResources } from "./resources.mjs";
import { startService } from "./service-process.mjs";
import { within } from "./within.mjs";
import { clientOf, workOf } from "./work.mjs";

// It ends the process.
if (process.argv[2] === "sync") await import("./sync.mjs");

const { values } = parseArgs({
  options: { minutes: { type: "string", default: "30" }, concurrency: { type: "string", default: "50" } },
});
const minutes = Number(values.minutes);
const endsAt = Date.now() + minutes * 60_000;
/** No samples are taken in the first fifth of the time, while the process warms up. */
const warmUntil = Date.now() + minutes * 12_000;
const SAMPLES = 60;
/** How long the last calls may take after the end of the test: a wait for a transcript, and all attempts of a call. */
const LAST_CALLS_MS = 180_000;

/** The facts about calls and deliveries are in a file, so that they do not count as memory of this process. */
const folder = mkdtempSync(join(tmpdir(), "soak-"));
const facts = openSync(join(folder, "facts"), "a+");
const note = (fact) => writeSync(facts, `${JSON.stringify(fact)}\n`);

const service = await startService();
let secret = "";
const receiver = await startReceiver(() => secret, note);
const { signal } = new AbortController();
const notetaker = clientOf(service.url);
({ secret } = await notetaker.webhooks.create({ url: receiver.url, events: EVENTS }, { maxRetries: 10 }));
const [meeting] = (await notetaker.meetings.list({ status: "completed", limit: 1 }, { maxRetries: 10 })).data;
const { work, tally, calls, callsUnderWay } = workOf(notetaker, { meeting, signal, note });

const samples = [];
const takeSample = () => {
  if (Date.now() >= warmUntil) samples.push(sampleResources(signal));
};
const sampler = setInterval(takeSample, (minutes * 60_000) / SAMPLES);

async function worker(number) {
  for (let turn = number; Date.now() < endsAt; turn++) await work[turn % work.length]();
}
await within(
  minutes * 60_000 + LAST_CALLS_MS,
  Promise.all(Array.from({ length: Number(values.concurrency) }, (_, number) => worker(number))),
  () => `the end of ${callsUnderWay()}`,
);
clearInterval(sampler);
const { listeners } = sampleResources(signal);
const report = await service.settled();
receiver.close();
const lines = readFileSync(join(folder, "facts"), "utf8").trim().split("\n");
const noted = lines.map((line) => JSON.parse(line));
rmSync(folder, { recursive: true });

checkCalls({ calls: calls(), tally }, noted, report);
checkDeliveries(noted, report);
checkResources(samples, listeners);
endAfter(`${minutes} minutes`);
