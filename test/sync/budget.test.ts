/** The budget of a run of `syncMeetings`. */
import type { MeetingStore, Middleware, RecordingDownload } from "notetaker-sdk";
import { beforeEach, describe, expect, it, test, vi } from "vitest";
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

test.for([
  ["the pause that the service asks for", { status: 503, retryAfterSeconds: 120 }, 120_000],
  ["an hour at most", { status: 429, retryAfterSeconds: 86_400 }, 3_600_000],
  ["a pause of its own", { status: 503, retryAfterSeconds: 0 }, 60_000],
] as const)("a run that has no time for the next attempt ends, and continues after %s", async ([, fault, pauseMs]) => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const service = createEmulator({ limits: "none" });
  service.faults.next("GET /meetings", { ...fault, times: 1_000 });
  const store = memoryStore();
  const saved: (Date | undefined)[] = [];
  const into: MeetingStore = {
    ...store,
    write: async (batch, lock) => {
      saved.push(batch.nextAt);
      return store.write(batch, lock);
    },
  };
  const result = await syncMeetings(new Notetaker(service.clientOptions), { into, budget: { ms: 3_000 } });
  expect(result).toMatchObject({ ended: "paused", nextAt: new Date(Date.now() + pauseMs) });
  expect(saved.at(-1)).toEqual(result.nextAt);
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
