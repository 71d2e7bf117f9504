/** An account of 20,000 meetings, each with a transcript and two documents, read over HTTP in real time. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { Notetaker, syncMeetings } from "notetaker-sdk";
import { expect } from "./expect.mjs";

const COUNT = 20_000;
const PAGE = 100;
const MAX_MB = 150;

const megabytes = (bytes) => Math.round(bytes / 1e6);

/** Fills SQLite with 20,000 meetings, and reads the unchanged account once more. */
export async function syncLarge(into) {
  const service = fork(new URL("./large-service.mjs", import.meta.url), [String(COUNT)]);
  const [{ url, token }] = await once(service, "message");
  const notetaker = new Notetaker({ baseUrl: url, token });
  const options = { into: into.open(), requestsPerMinute: 100_000_000 };
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  let peak = before;
  const onProgress = () => {
    peak = Math.max(peak, process.memoryUsage().rss);
  };
  const began = process.hrtime.bigint();
  const { changed, missingCount, requests } = await syncMeetings(notetaker, { ...options, onProgress });
  const seconds = Number(process.hrtime.bigint() - began) / 1e9;
  expect(
    `${COUNT} meetings into SQLite with at most ${MAX_MB} MB`,
    changed === COUNT && missingCount === 0 && megabytes(peak) <= MAX_MB,
    `${Math.round(COUNT / seconds)} meetings a second (${Math.round(seconds)} s, ${requests} requests), ` +
      `peak ${megabytes(peak)} MB, ${megabytes(before)} MB before it`,
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
