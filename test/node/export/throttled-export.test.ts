/** An export with a client that has `throttle: true`: both apply the same limit, and their waits do not add up. */
import { type ClientOptions, Notetaker } from "notetaker-sdk";
import { exportMeetings } from "notetaker-sdk/node";
import { aDocument, aTranscript, createEmulator } from "notetaker-sdk/testing";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { storeSink } from "./export-support.js";

beforeEach(() => void vi.useFakeTimers({ now: Date.parse("2026-03-02T09:00:00.437Z") }));
afterEach(() => void vi.useRealTimers());

const MINUTE_MS = 60_000;

/** Exports an account of `count` meetings with two files each, on the clock of the test. */
async function exportOf(count: number, throttle: ClientOptions["throttle"]) {
  const requests: { status: number | undefined; at: number }[] = [];
  const meetings = Array.from({ length: count }, (_, index) => ({
    id: `mtg_${index}`,
    title: `Meeting ${index}`,
    start_time: new Date(Date.now() - (index + 1) * 3_600_000).toISOString(),
    transcript: aTranscript({ lines: [["Ada", "Hello."]] }),
    documents: [aDocument({ id: `doc_${index}`, title: "Summary" })],
  }));
  const { baseUrl, token, fetch } = createEmulator({
    seed: { meetings },
    now: Date.now,
    limits: "all",
    onRequest: ({ status }) => void requests.push({ status, at: Date.now() }),
  });
  const notetaker = new Notetaker({ baseUrl, token, fetch, throttle });
  const begun = Date.now();
  let tookMs: number | undefined;
  const exported = exportMeetings(notetaker, { into: storeSink(new Map()) }).finally(() => {
    tookMs = Date.now() - begun;
  });
  while (tookMs === undefined) await vi.advanceTimersByTimeAsync(1_000);
  expect(await exported).toMatchObject({ meetings: count, saved: 2 * count, missing: [] });
  return { requests, tookMs };
}

it("an export of 500 meetings with a throttled client gets no 429, and takes at most 2 % longer than the limit requires", async () => {
  const { requests, tookMs } = await exportOf(500, true);
  expect(requests.map(({ status }) => status)).not.toContain(429);
  const allowedMs = (Math.ceil(requests.length / 60) - 1) * MINUTE_MS;
  expect(requests.length).toBeGreaterThan(1_000);
  expect(tookMs / allowedMs).toBeLessThanOrEqual(1.02);
});

it("an export waits for the client's throttle if the throttle allows fewer requests than the export would", async () => {
  const { requests } = await exportOf(40, { other: { perMinute: 20 } });
  const inMinuteFrom = (from: number) => requests.filter(({ at }) => at >= from && at < from + MINUTE_MS).length;
  expect(requests.length).toBeGreaterThan(80);
  expect(Math.max(...requests.map(({ at }) => inMinuteFrom(at)))).toBe(20);
});
