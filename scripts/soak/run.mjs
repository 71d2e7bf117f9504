/**
 * `npm run soak`, the soak test: many concurrent calls for several minutes, against a service that fails one of twenty
 * requests.
 *
 *   npm run build && node --expose-gc scripts/soak/run.mjs [--minutes 30] [--concurrency 50]
 *
 * `npm run soak -- sync` is another program, of sync.mjs.
 *
 * It checks that the resources of the process do not grow (heap after garbage collection, file handles, timers,
 * sockets, listeners), and that the service has received every call exactly once. Prints each result, and fails if one
 * check fails. Every wait has a time limit, with an error that names the missing event.
 */
import { parseArgs } from "node:util";
import { checkCalls, checkDeliveries } from "./check-calls.mjs";
import { countedCalls } from "./counted-calls.mjs";
import { endAfter } from "./expect.mjs";
import { EVENTS, startReceiver } from "./failing-receiver.mjs";
import { checkResources, sampleResources } from "./resources.mjs";
import { startService } from "./service-process.mjs";
import { within } from "./within.mjs";
import { workOf } from "./work.mjs";

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

const service = await startService();
let secret = "";
const receiver = await startReceiver(() => secret, service.note);
const { signal } = new AbortController();
const client = countedCalls(service.url, signal, service.note);
const { notetaker } = client;
({ secret } = await notetaker.webhooks.create({ url: receiver.url, events: EVENTS }, { maxRetries: 10 }));
const [meeting] = (await notetaker.meetings.list({ status: "completed", limit: 1 }, { maxRetries: 10 })).data;
const work = workOf(client, { meeting, signal, note: service.note });

const samples = [];
const takeSample = () => {
  if (Date.now() >= warmUntil) samples.push(sampleResources(signal));
};
const sampler = setInterval(takeSample, (minutes * 60_000) / SAMPLES);

async function worker(number) {
  for (let turn = number; Date.now() < endsAt; turn++) {
    await service.caughtUp();
    await work[turn % work.length]();
  }
}
await within(
  minutes * 60_000 + LAST_CALLS_MS,
  Promise.all(Array.from({ length: Number(values.concurrency) }, (_, number) => worker(number))),
  () => `the end of ${client.callsUnderWay()}`,
);
clearInterval(sampler);
const { listeners } = sampleResources(signal);
client.noteUnnamed();
const report = await service.settled();
service.stop();
receiver.close();

checkCalls(client, report);
checkDeliveries(report);
checkResources(samples, listeners);
endAfter(`${minutes} minutes`);
