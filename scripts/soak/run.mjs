/**
 * The soak, `npm run soak`: many calls at once against a service that fails one request in twenty, for minutes.
 *
 *   npm run build && node --expose-gc scripts/soak/run.mjs [--minutes 30] [--concurrency 50]
 *
 * Prints, and fails otherwise: that what the process holds (heap after collection, file handles, timers, sockets,
 * listeners) does not grow, and that every call is accounted for at the service: none lost, none doubled.
 */
import { fork } from "node:child_process";
import { getEventListeners } from "node:events";
import { readdirSync } from "node:fs";
import { createServer } from "node:http";
import { parseArgs } from "node:util";
import { isNotetakerError, Notetaker } from "notetaker-sdk";
import { createReceiver, toNodeListener } from "notetaker-sdk/webhooks";
import { slopeOf } from "./slope.mjs";

const { values } = parseArgs({
  options: { minutes: { type: "string", default: "30" }, concurrency: { type: "string", default: "50" } },
});
const minutes = Number(values.minutes);
const endsAt = Date.now() + minutes * 60_000;
/** Samples from the first fifth are of a process that warms up. */
const warmUntil = Date.now() + minutes * 12_000;
const SAMPLES = 60;
const HANDLER_FAILS = 0.05;

const service = fork(new URL("./service.mjs", import.meta.url));
const message = () => new Promise((resolve) => service.once("message", resolve));
const { url } = await message();
/** What happened is kept in the other process, so that it is no part of what this one holds. */
const note = (fact) => service.send(fact);

// The webhook's end: a handler that fails at times, so that deliveries are repeated.
let secret = "";
const receiver = createReceiver({
  secrets: () => secret,
  // Its handlers fail on purpose.
  onError: () => {},
  handlers: {
    "meeting.transcript_ready": (event) => handle(event),
    "meeting.initial_summary_ready": (event) => handle(event),
  },
});
function handle({ kind, meetingId }) {
  if (Math.random() < HANDLER_FAILS) throw new Error("the handler fails at times");
  note({ handled: `${kind} ${meetingId}` });
}
const hooks = createServer(toNodeListener(receiver.handle));
await new Promise((resolve) => hooks.listen(0, "127.0.0.1", resolve));

const signal = new AbortController().signal;
let attempts = 0;
const notetaker = new Notetaker({
  baseUrl: url,
  token: "soak",
  maxRetryDelayMs: 200,
  middleware: [
    (request, next) => {
      attempts += 1;
      return next(request);
    },
  ],
});
const { secret: created } = await notetaker.webhooks.create(
  {
    url: `http://127.0.0.1:${hooks.address().port}/hooks`,
    events: ["meeting.transcript_ready", "meeting.initial_summary_ready"],
  },
  { maxRetries: 10 },
);
secret = created;
const [someMeeting] = (await notetaker.meetings.list({ status: "completed", limit: 1 }, { maxRetries: 10 })).data;

let calls = 0;
const tally = { succeeded: 0, rejected: 0, not_sent: 0, accepted: 0, unknown: 0, other: 0 };

/** One call, counted. */
async function call(run, isWrite = false) {
  calls += 1;
  const name = String(calls);
  const options = { signal, headers: { "x-soak-call": name } };
  try {
    const result = await run(options);
    tally.succeeded += 1;
    if (isWrite) note({ write: name, end: "succeeded" });
    return result;
  } catch (error) {
    const outcome = isNotetakerError(error) ? error.outcome : "other";
    if (outcome === "other") console.error(error);
    tally[outcome] += 1;
    if (isWrite) note({ write: name, end: outcome });
    return undefined;
  }
}

const link = () => `https://zoom.us/j/${Math.floor(1e9 + Math.random() * 8e9)}`;
const work = [
  () => call((options) => notetaker.rooms.list({ limit: 2 }, options).toArray({ max: 6 })),
  () => call((options) => notetaker.meetings.getTranscript(someMeeting.id, options)),
  () => call((options) => notetaker.webhooks.list(options)),
  () =>
    call((options) =>
      notetaker.permissions.set(someMeeting.id, { recipient: { type: "anyone" }, role: "read" }, options),
    ),
  async () => {
    const bot = await call((options) => notetaker.meetings.sendBot({ meeting_url: link() }, options), true);
    if (bot !== undefined) note({ made: bot.meeting_id });
  },
  async () => {
    const audio = new Blob(["RIFF"], { type: "audio/wav" });
    const upload = await call((options) => notetaker.meetings.upload(audio, {}, options), true);
    if (upload === undefined) return;
    note({ made: upload.id });
    await call(() => notetaker.meetings.waitForTranscript(upload.id, { pollMs: 1_000, timeoutMs: 60_000, signal }));
  },
];

/** What the process holds now. */
function sample() {
  globalThis.gc?.();
  const resources = process.getActiveResourcesInfo?.() ?? [];
  const count = (pattern) => resources.filter((name) => pattern.test(name)).length;
  return {
    at: Date.now(),
    heapMiB: process.memoryUsage().heapUsed / 2 ** 20,
    files: process.platform === "linux" ? readdirSync("/proc/self/fd").length : 0,
    timers: count(/Timeout/),
    sockets: count(/TCP/),
    listeners: getEventListeners?.(signal, "abort").length ?? 0,
  };
}

const samples = [];
const sampler = setInterval(
  () => {
    if (Date.now() >= warmUntil) samples.push(sample());
  },
  (minutes * 60_000) / SAMPLES,
);

async function worker(number) {
  for (let turn = number; Date.now() < endsAt; turn++) await work[turn % work.length]();
}
await Promise.all(Array.from({ length: Number(values.concurrency) }, (_, number) => worker(number)));
clearInterval(sampler);
const after = sample();

// Deliveries that failed come again within two minutes of the service's time, which are two seconds.
const settled = async () => {
  for (let tries = 0; tries < 30; tries++) {
    service.send("report");
    const { report } = await message();
    if (report.deliveries.every(({ state }) => state !== "pending")) return report;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  throw new Error("deliveries are still under way after half a minute");
};
const report = await settled();
service.kill();
hooks.close();

const failures = [];
const expect = (name, holds, detail) => {
  console.log(`${holds ? "holds " : "FAILS "} ${name}: ${detail}`);
  if (!holds) failures.push(name);
};

const { requestsOf, bots, created: meetings, deliveries } = report;
const [writes, handled, made] = [new Map(report.writes), new Map(report.handled), report.made];
console.log(
  `${calls} calls, ${attempts} attempts, ${report.requests} requests seen, ${report.faults} faults, ${JSON.stringify(tally)}`,
);

const counts = new Map(requestsOf);
const reached = new Set([...bots, ...meetings]);
const lost = made.filter((id) => !reached.has(id));
expect("what a call says it made is there", lost.length === 0, `${made.length} bots and uploads, ${lost.length} lost`);

const outcomes = [...writes.values()];
const certain = outcomes.filter((end) => end === "succeeded" || end === "accepted").length;
const possible = certain + outcomes.filter((end) => end === "unknown").length;
const botIds = new Set(bots);
const uploadsThere = meetings.filter((id) => !botIds.has(id)).length - report.seeded;
const madeThere = bots.length - report.seededBots + uploadsThere;
expect(
  "nothing is made twice",
  madeThere >= certain && madeThere <= possible,
  `${madeThere} at the service; the calls say at least ${certain}, at most ${possible}`,
);
expect("every call was answered", Object.values(tally).reduce((sum, count) => sum + count) === calls, `${calls} calls`);
expect("nothing but errors of the library", tally.other === 0, `${tally.other} others`);
const silent = [...writes].filter(([name, end]) => end === "succeeded" && !counts.has(name)).length;
expect("every success was sent", silent === 0, `${silent} without a request`);

const kept = deliveries.filter(({ state }) => state === "delivered");
const twice = [...handled.values()].filter((times) => times > 1).length;
const missing = kept.filter(({ key }) => !handled.has(key)).length;
const repeated = deliveries.filter(({ attempts: tries }) => tries > 1).length;
expect(
  "each delivery is handled once",
  twice === 0 && missing === 0 && kept.length > 0,
  `${kept.length} delivered, ${repeated} of them more than once; ${twice} handled twice, ${missing} not at all`,
);

/** By how much each may differ between the beginning and the end of what was measured. */
const ALLOWED = { heapMiB: 3, files: 30, timers: 60, sockets: 60, listeners: 2 };
const measuredHours = (samples.at(-1).at - samples[0].at) / 3_600_000;
for (const [name, allowed] of Object.entries(ALLOWED)) {
  const { perHour, low, high, mean } = slopeOf(samples.map((one) => [one.at / 3_600_000, one[name]]));
  const range = `${perHour.toFixed(2)} an hour (95 %: ${low.toFixed(2)} to ${high.toFixed(2)}), mean ${mean.toFixed(1)}`;
  expect(`${name} does not grow`, low * measuredHours <= allowed, range);
}
expect("no listener is left", after.listeners === 0, `${after.listeners}`);
console.log(`${failures.length === 0 ? "passed" : "FAILED"} after ${minutes} minutes on ${process.version}`);
process.exit(failures.length === 0 ? 0 : 1);
