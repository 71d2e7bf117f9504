/**
 * An account of 20,000 meetings, each with a transcript and two documents, read over HTTP in real time. How much memory the
 * process takes beyond what is in use is V8's choice: `node --max-old-space-size=48 --expose-gc scripts/soak/run.mjs sync
 * --only large` shows how little suffices.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { Notetaker, syncMeetings } from "notetaker-sdk";
import { expect } from "./expect.mjs";

const COUNT = 20_000;
const PAGE = 100;
/** In use after a collection. */
const MAX_MB = 40;
/** Every tenth report of the run comes after a collection. */
const COLLECT_EVERY = 10;

const megabytes = (bytes) => Math.round(bytes / 1e6);

/** Fills SQLite with 20,000 meetings, and reads the unchanged account once more. */
export async function syncLarge(into) {
  const service = fork(new URL("./large-service.mjs", import.meta.url), [String(COUNT)], { execArgv: [] });
  const [{ url, token }] = await once(service, "message");
  const notetaker = new Notetaker({ baseUrl: url, token });
  const options = { into: into.open(), requestsPerMinute: 100_000_000 };
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  let peak = before;
  let inUse = 0;
  let reports = 0;
  const onProgress = () => {
    peak = Math.max(peak, process.memoryUsage().rss);
    reports += 1;
    if (reports % COLLECT_EVERY > 0) return;
    globalThis.gc?.();
    inUse = Math.max(inUse, process.memoryUsage().heapUsed);
  };
  const began = process.hrtime.bigint();
  const { meetings, missingCount, requests } = await syncMeetings(notetaker, { ...options, onProgress });
  const seconds = Number(process.hrtime.bigint() - began) / 1e9;
  expect(
    `${COUNT} meetings into SQLite with at most ${MAX_MB} MB in use`,
    meetings === COUNT && missingCount === 0 && megabytes(inUse) <= MAX_MB,
    `${Math.round(COUNT / seconds)} meetings a second (${Math.round(seconds)} s, ${requests} requests), ` +
      `${megabytes(inUse)} MB in use, the process has ${megabytes(peak)} MB at most, ${megabytes(before)} MB before it`,
  );
  // Another period begins another full pass.
  const again = await syncMeetings(notetaker, { ...options, since: "2000-01-01" });
  expect(
    `a full pass over an unchanged account of ${COUNT} writes nothing`,
    again.changed === 0 && again.requests <= COUNT / PAGE + 2,
    `${again.requests} requests, ${again.changed} meetings written`,
  );
  service.kill();
}
