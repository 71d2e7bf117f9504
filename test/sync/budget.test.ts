/** The budget of a run of `syncMeetings`. */
import { expect, test } from "vitest";
import { Notetaker } from "../../src/client.js";
import { memoryStore } from "../../src/sync/memory-store.js";
import { syncMeetings } from "../../src/sync/sync-meetings.js";
import { createEmulator } from "../../src/testing/emulator.js";
import type { Throttle } from "../../src/throttle/throttle.js";

/** The account's limit is used up by other processes: each call would wait so long. */
const usedUp = (waitMs: number): Throttle => ({
  acquire({ onWait }) {
    onWait(waitMs);
    return new Promise(() => {});
  },
  pause() {},
});

test("a run does not wait for the account's rate limit beyond its budget", async () => {
  const service = createEmulator();
  const notetaker = new Notetaker({ ...service.clientOptions, throttle: usedUp(30_000) });
  for (const only of [undefined, ["mtg_1"]]) {
    const result = await syncMeetings(notetaker, { into: memoryStore(), only, budget: { ms: 20_000 } });
    expect(result).toMatchObject({ ended: "paused", requests: 0 });
  }
  expect(service.requests).toEqual([]);
});

test("a run whose next attempt would come after the end of its budget ends at once", async () => {
  const service = createEmulator();
  service.faults.next("GET /meetings", { status: 503, retryAfterSeconds: 120, times: 1_000 });
  const notetaker = new Notetaker(service.clientOptions);
  const result = await syncMeetings(notetaker, { into: memoryStore(), budget: { ms: 10_000 } });
  expect(result).toMatchObject({ ended: "paused", requests: 1 });
});
