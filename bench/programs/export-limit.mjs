/**
 * Prints how long an export takes under the service's limit of 60 requests a minute, beside the shortest time that the
 * limit allows: `export-limit.mjs [MEETINGS]`. The time is that of the emulator's clock.
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

/** The emulator's clock as the clock of the export. Its waits advance the emulator's time. */
const clockOf = (service) => ({
  now: () => service.clock.now(),
  sleep: async (ms) => service.clock.advance(ms),
});

const works = {
  exportMeetings: ({ notetaker, service, concurrency }) => {
    const files = new Map();
    const into = { write: (path, bytes) => void files.set(path, bytes), read: (path) => files.get(path) };
    return exportMeetings(notetaker, { into, concurrency, clock: clockOf(service) });
  },
  walkMeetings: async ({ notetaker, service, concurrency }) => {
    for await (const _ of walkMeetings(notetaker, { concurrency, clock: clockOf(service) }));
  },
};

async function measure(work, concurrency, latencyMs) {
  const statuses = [];
  const onRequest = ({ status }) => void statuses.push(status);
  const service = createEmulator({ seed: { meetings: seeds }, now: START, limits: "all", onRequest });
  const fetch = (...args) => {
    service.clock.advance(latencyMs / concurrency);
    return service.fetch(...args);
  };
  const notetaker = new Notetaker({ baseUrl: service.baseUrl, token: service.token, fetch });
  const begun = service.clock.now();
  await work({ notetaker, service, concurrency });
  const took = (service.clock.now() - begun) / 1_000;
  const allowed = ((Math.ceil(statuses.length / PER_MINUTE) - 1) * MINUTE_MS) / 1_000;
  const refused = statuses.filter((status) => status === 429).length;
  return { requests: statuses.length, refused, took, allowed, ratio: took / allowed };
}

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
