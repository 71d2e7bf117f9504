/**
 * How long an export takes under the service's limit of 60 requests a minute, beside the time that the limit itself
 * allows. The time is the emulator's: it advances only when the export waits.
 *
 *     npx tsx bench/export-limit.ts
 *
 * Ends with status 1 if an export takes over 2 % longer than the limit allows, or if a request is refused.
 */
import { Notetaker } from "notetaker-sdk";
import { type ExportSink, exportMeetings, walkMeetings } from "notetaker-sdk/node";
import { aDocument, aTranscript, createEmulator, type Emulator, type MeetingSeed } from "notetaker-sdk/testing";

const MEETINGS = 500;
const PER_MINUTE = 60;
const MINUTE_MS = 60_000;
const MAX_RATIO = 1.02;
/** Windows that begin between two full seconds: `X-RateLimit-Reset` is in full seconds. */
const START = Date.parse("2026-03-02T09:00:00.437Z");

const seeds = Array.from(
  { length: MEETINGS },
  (_, index): MeetingSeed => ({
    id: `mtg_${index}`,
    title: `Meeting ${index}`,
    start_time: new Date(START - index * 3_600_000).toISOString(),
    transcript: aTranscript({ lines: [["Ada", "Hello."]] }),
    documents: [
      aDocument({ id: `doc_${index}_0`, title: "Summary" }),
      aDocument({ id: `doc_${index}_1`, title: "Action items" }),
    ],
  }),
);

interface Work {
  notetaker: Notetaker;
  service: Emulator;
  concurrency: number;
}

/** The same pace for both: the service's clock, on which each request takes some time. */
const clockOf = (service: Emulator) => ({
  now: () => service.clock.now(),
  sleep: async (ms: number) => service.clock.advance(ms),
});

const works: Record<string, (work: Work) => Promise<unknown>> = {
  exportMeetings: ({ notetaker, service, concurrency }) => {
    const files = new Map<string, Uint8Array>();
    const into: ExportSink = { write: (path, bytes) => void files.set(path, bytes), read: (path) => files.get(path) };
    return exportMeetings(notetaker, { into, concurrency, clock: clockOf(service) });
  },
  walkMeetings: async ({ notetaker, service, concurrency }) => {
    for await (const _ of walkMeetings(notetaker, { concurrency, clock: clockOf(service) }));
  },
};

let failed = false;
console.log("work            at once  ms a request  requests  429s  took (s)  limit allows (s)  ratio");
for (const [name, work] of Object.entries(works)) {
  for (const concurrency of [1, 4, 8]) {
    for (const latencyMs of [0, 50]) {
      const statuses: (number | undefined)[] = [];
      const onRequest = ({ status }: { status?: number | undefined }) => void statuses.push(status);
      const service = createEmulator({ seed: { meetings: seeds }, now: START, limits: "all", onRequest });
      const fetch: typeof globalThis.fetch = (...args) => {
        service.clock.advance(latencyMs / concurrency);
        return service.fetch(...args);
      };
      const notetaker = new Notetaker({ baseUrl: service.baseUrl, token: service.token, fetch });
      const begun = service.clock.now();
      await work({ notetaker, service, concurrency });
      const tookMs = service.clock.now() - begun;
      const requests = statuses.length;
      const refused = statuses.filter((status) => status === 429).length;
      const allowedMs = (Math.ceil(requests / PER_MINUTE) - 1) * MINUTE_MS;
      const ratio = tookMs / allowedMs;
      failed ||= ratio > MAX_RATIO || refused > 0;
      console.log(
        [
          name.padEnd(14),
          String(concurrency).padStart(8),
          String(latencyMs).padStart(13),
          String(requests).padStart(9),
          String(refused).padStart(5),
          (tookMs / 1000).toFixed(1).padStart(9),
          (allowedMs / 1000).toFixed(0).padStart(17),
          ratio.toFixed(4).padStart(6),
        ].join(" "),
      );
    }
  }
}
process.exitCode = failed ? 1 : 0;
