/**
 * `npm run soak`, the soak test: many concurrent calls for several minutes, against a service that fails one of twenty
 * requests.
 *
 *   npm run build && node --expose-gc scripts/soak/run.mjs [--minutes 30] [--concurrency 50]
 *
 * `npm run soak -- follow` is another program, of follow.mjs.
 *
 * It checks that the resources of the process do not grow (heap after garbage collection, file handles, timers,
 * sockets, listeners), and that the service has received every call exactly once. Prints each result, and fails if one
 * check fails. Every wait has a time limit, with an error that names the missing event.
 */
import { fork } from "node:child_process";
import { getEventListeners } from "node:events";
import { readdirSync } from "node:fs";
import { createServer } from "node:http";
import { parseArgs } from "node:util";
import { isNotetakerError, Notetaker } from "notetaker-sdk";
import { createReceiver, toNodeListener } from "notetaker-sdk/webhooks";
import { growthOf } from "./growth.mjs";
import { within } from "./within.mjs";

// It ends the process.
if (process.argv[2] === "follow") await import("./follow.mjs");

const { values } = parseArgs({
  options: { minutes: { type: "string", default: "30" }, concurrency: { type: "string", default: "50" } },
});
const minutes = Number(values.minutes);
const endsAt = Date.now() + minutes * 60_000;
/** No samples are taken in the first fifth of the time, while the process warms up. */
const warmUntil = Date.now() + minutes * 12_000;
const SAMPLES = 60;
const HANDLER_FAILS = 0.05;
/** How long a message of the other process may take on a busy machine. */
const ANSWER_MS = 60_000;
/** How many facts and deliveries the other process may be behind. */
const MAX_BEHIND = 300;
/** How long the last calls may take after the end of the test: a wait for a transcript, and all attempts of a call. */
const LAST_CALLS_MS = 180_000;
/**
 * How long the last deliveries may take. Their retries take 71 seconds of the service's time, which is about a second
 * of real time; the handlers take some more.
 */
const LAST_DELIVERIES_MS = 60_000;

const service = fork(new URL("./service.mjs", import.meta.url));
let isOver = false;
const ended = new Promise((_, reject) => {
  service.once("exit", (code, signal) => {
    if (!isOver) reject(new Error(`the service's process ended with ${signal ?? code}`));
  });
});
ended.catch((error) => {
  console.error(error.message);
  process.exit(1);
});
/** The next message of the other process with this field. */
const message = (field) => {
  const received = new Promise((resolve) => {
    service.on("message", function listen(one) {
      if (!(field in one)) return;
      service.off("message", listen);
      resolve(one);
    });
  });
  return within(ANSWER_MS, Promise.race([received, ended]), () => `the ${field} of the service's process`);
};
const { url } = await message("url");

/** Facts about calls are stored in the other process, so that they do not count as memory of this process. */
let noted = 0;
const note = (fact) => {
  noted += 1;
  service.send(fact);
};
/**
 * The progress of the other process. Facts and deliveries that it has not processed yet stay in memory, which may take
 * long on a busy machine. No new work starts while there are too many of them.
 */
let progress = { facts: 0, pending: 0, delivered: 0 };
/** When the wait for the other process fails. Any progress extends the time, because a busy machine may be slow. */
let lateAt = 0;
service.on("message", (one) => {
  if (!("progress" in one)) return;
  const { facts, delivered } = one.progress;
  if (facts > progress.facts || delivered > progress.delivered) lateAt = Date.now() + ANSWER_MS;
  progress = one.progress;
});
const hasCaughtUp = async () => {
  lateAt = Math.max(lateAt, Date.now() + ANSWER_MS);
  while (noted - progress.facts > MAX_BEHIND || progress.pending > MAX_BEHIND) {
    if (Date.now() > lateAt) {
      const behind = `${noted - progress.facts} facts and ${progress.pending} deliveries behind`;
      throw new Error(`the service's process made no progress for ${ANSWER_MS / 1_000} s, and is ${behind}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

// The receiver of the webhook. Its handlers sometimes fail, so that deliveries are repeated.
let secret = "";
const receiver = createReceiver({
  secrets: () => secret,
  // The handlers fail on purpose.
  onError: () => {},
  handlers: {
    "meeting.transcript_ready": (event) => handle(event),
    "meeting.initial_summary_ready": (event) => handle(event),
  },
});
function handle({ kind, meetingId }) {
  if (Math.random() < HANDLER_FAILS) throw new Error("the handler fails at times");
  note({ handled: `${kind} ${meetingId}`, at: Date.now() });
}
const hooks = createServer(toNodeListener(receiver.handle));
await new Promise((resolve) => hooks.listen(0, "127.0.0.1", resolve));

const signal = new AbortController().signal;
let attempts = 0;
/** For each call in progress: how many requests were sent, and how many responses were received. */
const sentOf = new Map();
/** The name for requests of waits, which have no header with a name. */
const UNNAMED = "none";
const notetaker = new Notetaker({
  baseUrl: url,
  token: "soak",
  maxRetryDelayMs: 200,
  middleware: [
    async (request, next) => {
      attempts += 1;
      const name = request.headers.get("x-soak-call") ?? UNNAMED;
      const sent = sentOf.get(name) ?? { once: 0, others: 0, answers: 0 };
      sentOf.set(name, sent);
      if (request.method === "POST" || request.headers.has("x-soak-once")) sent.once += 1;
      else sent.others += 1;
      const response = await next(request);
      sent.answers += 1;
      return response;
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
/** The calls in progress by their numbers, so that an error can name a call that hangs. */
const underWay = new Map();
const tally = { succeeded: 0, rejected: 0, not_sent: 0, accepted: 0, unknown: 0, other: 0 };

/** Runs one call, and counts its outcome. */
async function call(what, run, isWrite = false) {
  calls += 1;
  const name = String(calls);
  underWay.set(name, what);
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
  } finally {
    underWay.delete(name);
    // The requests of a wait do not have the name of the call.
    if (sentOf.has(name)) note({ call: name, ...sentOf.get(name) });
    sentOf.delete(name);
  }
}

/** Marks a PUT that the library sends again only if the earlier request surely had no effect. */
const onlyOnce = (options) => ({ ...options, headers: { ...options.headers, "x-soak-once": "1" } });
const link = () => `https://zoom.us/j/${Math.floor(1e9 + Math.random() * 8e9)}`;
const work = [
  () => call("rooms.list", (options) => notetaker.rooms.list({ limit: 2 }, options).toArray({ max: 6 })),
  () => call("meetings.getTranscript", (options) => notetaker.meetings.getTranscript(someMeeting.id, options)),
  () => call("webhooks.list", (options) => notetaker.webhooks.list(options)),
  () =>
    call("permissions.set", (options) =>
      notetaker.permissions.set(someMeeting.id, { recipient: { type: "anyone" }, role: "read" }, options),
    ),
  () =>
    call("request", (options) => {
      const body = { automation: "MANUAL" };
      return notetaker.request("PUT", "/settings/notetaker-automation", { ...onlyOnce(options), body });
    }),
  async () => {
    const bot = await call(
      "meetings.sendBot",
      (options) => notetaker.meetings.sendBot({ meeting_url: link() }, options),
      true,
    );
    if (bot !== undefined) note({ made: bot.meeting_id });
  },
  async () => {
    const audio = new Blob(["RIFF"], { type: "audio/wav" });
    const upload = await call(
      "meetings.upload",
      (options) => notetaker.meetings.upload(audio, {}, onlyOnce(options)),
      true,
    );
    if (upload === undefined) return;
    note({ made: upload.id });
    const wait = { pollMs: 1_000, timeoutMs: 60_000, signal };
    await call("meetings.waitForTranscript", () => notetaker.meetings.waitForTranscript(upload.id, wait));
  },
];

/** The current resources of the process. */
function sample() {
  // Bun has its own function. (In Node, `gc(true)` would collect only the young generation.)
  if (globalThis.Bun !== undefined) globalThis.Bun.gc(true);
  else globalThis.gc?.();
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
  for (let turn = number; Date.now() < endsAt; turn++) {
    await hasCaughtUp();
    await work[turn % work.length]();
  }
}
await within(
  minutes * 60_000 + LAST_CALLS_MS,
  Promise.all(Array.from({ length: Number(values.concurrency) }, (_, number) => worker(number))),
  () => `the end of ${[...underWay].map(([name, what]) => `call ${name} (${what})`).join(", ")}`,
);
clearInterval(sampler);
const after = sample();

note({ call: UNNAMED, ...sentOf.get(UNNAMED) });

/** Waits until the service has no pending delivery, and returns its report. */
const settled = async () => {
  let lateAt = Date.now() + LAST_DELIVERIES_MS;
  let before = Number.POSITIVE_INFINITY;
  for (;;) {
    service.send("report");
    const { report } = await message("report");
    const { deliveries } = report;
    const pending = deliveries.filter(({ state }) => state === "pending");
    if (pending.length === 0) return report;
    // The service sends one delivery after the other. A long queue may take long, as long as it becomes shorter.
    if (pending.length < before) lateAt = Date.now() + LAST_DELIVERIES_MS;
    before = Math.min(before, pending.length);
    const seconds = LAST_DELIVERIES_MS / 1_000;
    const counts = `${pending.length} of ${deliveries.length} deliveries, such as ${JSON.stringify(pending[0])}`;
    if (Date.now() > lateAt) throw new Error(`no delivery was completed for ${seconds} s; pending: ${counts}`);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
};
const report = await settled();
isOver = true;
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

/**
 * Bun's `fetch` repeats GET, PUT and DELETE by itself if a reused connection is closed before the response, as RFC
 * 9110, 9.2.2, allows. The middleware sees one attempt. The library prevents this for requests that may be sent only
 * once.
 */
const resends = globalThis.Bun !== undefined;
const { resent, notSeen, unexplained } = report.account;
expect(
  "each request is an attempt of its call",
  unexplained.length === 0 && (resends || resent === 0),
  `${resent} sent again by the runtime itself${resends ? ", none more often than connections were closed" : ""}; ` +
    `${notSeen} attempts did not arrive${unexplained.length === 0 ? "" : `; not explained: ${JSON.stringify(unexplained.slice(0, 3))}`}`,
);

const kept = deliveries.filter(({ state }) => state === "delivered");
/**
 * How long a receiver remembers a delivery. The service repeats a delivery within two minutes; on a busy machine, the
 * repetition may come later.
 */
const REMEMBERED_MS = 180_000;
const again = [...handled.values()].filter((times) => times.length > 1);
const tooSoon = (times) => times.some((at, index) => index > 0 && at - times[index - 1] < REMEMBERED_MS);
const twice = again.filter(tooSoon).length;
const late = again.length - twice;
const missing = kept.filter(({ key }) => !handled.has(key)).length;
const repeated = deliveries.filter(({ attempts: tries }) => tries > 1).length;
expect(
  "each delivery is handled once",
  twice === 0 && missing === 0 && kept.length > 0,
  `${kept.length} delivered, ${repeated} of them more than once; ${twice} handled twice, ${missing} not at all` +
    (late === 0 ? "" : `; ${late} came again, and were handled, after the 3 minutes that a receiver remembers them`),
);

/**
 * By how much each value may grow during the measurement. A leak of one per call would be thousands. Sockets and timers
 * follow the number of calls in progress, which varies by about this much.
 */
const ALLOWED = { heapMiB: 3, files: 60, timers: 60, sockets: 60, listeners: 2 };
for (const [name, allowed] of Object.entries(ALLOWED)) {
  const { growth, error, mean } = growthOf(samples.map((one) => [one.at, one[name]]));
  const range = `${growth.toFixed(2)} ± ${error.toFixed(2)} (95 %) in ${samples.length} samples, mean ${mean.toFixed(1)}`;
  expect(`${name} grows by ${allowed} at most`, growth <= allowed, range);
}
expect("no listener is left", after.listeners === 0, `${after.listeners}`);
const runtime = globalThis.Bun === undefined ? `Node ${process.versions.node}` : `Bun ${globalThis.Bun.version}`;
console.log(`${failures.length === 0 ? "passed" : "FAILED"} after ${minutes} minutes on ${runtime}`);
process.exit(failures.length === 0 ? 0 : 1);
