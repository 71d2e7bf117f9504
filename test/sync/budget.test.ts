/** The budget of a run of `syncMeetings`. */
import type { Middleware, RecordingDownload } from "notetaker-sdk";
import { beforeEach, describe, expect, it, test } from "vitest";
import { pause } from "../../src/async/timers.js";
import { Notetaker } from "../../src/client.js";
import { memoryStore } from "../../src/sync/store/memory-store.js";
import { syncMeetings } from "../../src/sync/sync-meetings.js";
import { createEmulator } from "../../src/testing/emulator.js";
import type { Throttle } from "../../src/throttle/throttle.js";
import { ended, simulatedTime } from "./support/simulated-time.js";
import { json, type Sent, smallAccount } from "./support/small-service.js";

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

describe("requests", () => {
  beforeEach(() => simulatedTime());

  const recordings = ({ path }: Sent) => {
    if (path.endsWith("/recording"))
      return json(200, { recording_url: "https://storage.test/file", meeting_id: "mtg_1" });
    return path === "/file" ? new Response("video", { headers: { "content-length": "5" } }) : undefined;
  };

  it.each([3, 4, 5, 7, 12, 20, 31])("are never more than a budget of %i, whatever else waits", async (budget) => {
    for (const perMinute of [10, 40, 100_000]) {
      const { service, store } = smallAccount(...Array.from({ length: 12 }, (_, index) => `mtg_${index}`));
      service.answer = recordings;
      const into = Object.assign(store, {
        saveRecording: async (_: unknown, { stream }: RecordingDownload) => void (await new Response(stream).text()),
      });
      // The rate limit of the client makes several requests wait at once.
      const notetaker = service.notetaker.withOptions({ throttle: { acquire: () => pause(50), pause() {} } });
      const options = { into, concurrency: 8, requestsPerMinute: perMinute, formats: { recording: true } };
      const result = await ended(syncMeetings(notetaker, { ...options, budget: { requests: budget } }));
      expect(result).toMatchObject({ ended: "paused", requests: service.sent.length });
      expect(result.requests).toBeLessThanOrEqual(budget);
      expect(result.requests).toBeGreaterThanOrEqual(budget - 1);
    }
  });

  it("that a middleware sends again count, and end with the budget", async () => {
    const { service, store } = smallAccount("mtg_1", "mtg_2", "mtg_3");
    const twice: Middleware = async (request, next) => {
      await next(request.clone());
      return next(request);
    };
    const notetaker = service.notetaker.withOptions({ middleware: [twice] });
    const result = await ended(syncMeetings(notetaker, { into: store, budget: { requests: 5 } }));
    expect(result).toMatchObject({ ended: "paused", requests: 5 });
    expect(service.sent).toHaveLength(5);
  });

  it("count once also if a middleware takes the token away, which a proxy adds", async () => {
    const { service, store } = smallAccount("mtg_1", "mtg_2", "mtg_3");
    const withoutToken: Middleware = (request, next) => {
      request.headers.delete("authorization");
      return next(request);
    };
    const notetaker = service.notetaker.withOptions({ middleware: [withoutToken] });
    const result = await ended(syncMeetings(notetaker, { into: store, budget: { requests: 7 } }));
    expect(result).toMatchObject({ ended: "paused", requests: 7 });
  });

  it("of a fake of the client are not more either", async () => {
    const { service, store } = smallAccount("mtg_1", "mtg_2", "mtg_3", "mtg_4");
    const { meetings, documents } = service.notetaker;
    const result = await ended(syncMeetings({ meetings, documents }, { into: store, budget: { requests: 3 } }));
    expect(result).toMatchObject({ ended: "paused", requests: 3 });
  });
});
