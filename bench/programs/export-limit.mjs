/**
 * Prints how long an export takes under the service's limit of 60 requests a minute, beside the shortest time that the
 * limit allows: `export-limit.mjs [MEETINGS]`. The time is simulated.
 */
import { Notetaker } from "notetaker-sdk";
import { exportMeetings, walkMeetings } from "notetaker-sdk/node";
import { aDocument, aTranscript, createEmulator } from "notetaker-sdk/testing";

const meetings = Number(process.argv[2] ?? 500);
const PER_MINUTE = 60;
const MINUTE_MS = 60_000;
/** The windows start between two full seconds, because `X-RateLimit-Reset` is in full seconds and must be rounded. */
const START = Date.parse("2026-03-02T09:00:00.437Z");

const seeds = Array.from({ length: meetings }, (_, index) => ({
  id: `mtg_${index}`,
  title: `Meeting ${index}`,
  start_time: new Date(START - index * 3_600_000).toISOString(),
  transcript: aTranscript({ lines: [["Ada", "Hello."]] }),
  documents: [
    aDocument({ id: `doc_${index}_0`, title: "Summary" }),
    aDocument({ id: `doc_${index}_1`, title: "Action items" }),
  ],
}));

let now = 0;
const timers = new Map();

/** Replaces the timers and clocks of this process. Time jumps to the next timer when nothing else is left to do. */
function simulateTime() {
  performance.now = () => now;
  Date.now = () => START + now;
  globalThis.setTimeout = (callback, ms = 0, ...args) => {
    const timer = { unref() {}, ref() {}, at: now + ms, run: () => callback(...args) };
    timers.set(timer, timer);
    return timer;
  };
  globalThis.clearTimeout = (timer) => void timers.delete(timer);
}

async function jumpUntil(isDone) {
  while (!isDone()) {
    // Turns of the event loop, in which everything happens that waits for no timer.
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
    const [next] = [...timers.keys()].sort((a, b) => a.at - b.at);
    if (isDone() || next === undefined) continue;
    timers.delete(next);
    now = Math.max(now, next.at);
    next.run();
  }
}

const works = {
  exportMeetings: ({ notetaker, concurrency }) => {
    const files = new Map();
    const into = { write: (path, bytes) => void files.set(path, bytes), read: (path) => files.get(path) };
    return exportMeetings(notetaker, { into, concurrency });
  },
  walkMeetings: async ({ notetaker, concurrency }) => {
    for await (const _ of walkMeetings(notetaker, { concurrency }));
  },
};

async function measure(work, concurrency, latencyMs) {
  const statuses = [];
  const onRequest = ({ status }) => void statuses.push(status);
  const service = createEmulator({ seed: { meetings: seeds }, now: () => Date.now(), limits: "all", onRequest });
  const fetch = async (...args) => {
    if (latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, latencyMs));
    return service.fetch(...args);
  };
  const notetaker = new Notetaker({ baseUrl: service.baseUrl, token: service.token, fetch });
  const begun = now;
  let ended;
  const working = work({ notetaker, concurrency }).finally(() => {
    ended = now;
  });
  await jumpUntil(() => ended !== undefined);
  await working;
  const took = (ended - begun) / 1_000;
  const allowed = ((Math.ceil(statuses.length / PER_MINUTE) - 1) * MINUTE_MS) / 1_000;
  const refused = statuses.filter((status) => status === 429).length;
  return { requests: statuses.length, refused, took, allowed, ratio: took / allowed };
}

simulateTime();
const rows = {};
for (const [name, work] of Object.entries(works)) {
  for (const concurrency of [1, 4, 8]) {
    for (const latencyMs of [0, 50]) {
      const row = `${name}, ${concurrency} at once, ${latencyMs} ms a request`;
      rows[row] = await measure(work, concurrency, latencyMs);
    }
  }
}
const all = Object.values(rows);
rows["the worst of them"] = {
  refused: Math.max(...all.map(({ refused }) => refused)),
  ratio: Math.max(...all.map(({ ratio }) => ratio)),
};
console.log(JSON.stringify(rows));
