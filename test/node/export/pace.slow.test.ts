/** How fast an export and a walk read the service, and how long they wait for it. All of it on fake timers. */
import { type ClientOptions, RateLimitedError } from "notetaker-sdk";
import { type ExportOptions, exportMeetings, walkMeetings } from "notetaker-sdk/node";
import type { Emulator } from "notetaker-sdk/testing";
import { describe, expect, it, vi } from "vitest";
import { account, clientOf, LIMITED, meetings, onFakeTime, type Store, storeSink } from "../support/account.js";

const MINUTE_MS = 60_000;

const exportOf = (service: Emulator, options: Partial<ExportOptions> = {}, client: ClientOptions = {}) =>
  exportMeetings(clientOf(service, client), { into: storeSink(new Map()), ...options });

const statusesOf = (service: Emulator) => service.requests.map(({ status }) => status);

/** The largest number of requests in any minute. */
function mostPerMinute({ requests }: Emulator): number {
  const times = requests.map(({ at }) => at);
  return Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + MINUTE_MS).length));
}

describe("the pace of an export", () => {
  it.each([
    ["alone", undefined],
    ["with a throttled client", true],
  ])(
    "is 60 requests a minute, without a 429 and with at most 2 %% more time than that takes: %s",
    async (_, throttle) => {
      await onFakeTime(async () => {
        const { service } = account(meetings(170), LIMITED);
        const begun = performance.now();
        const { requests } = await exportOf(service, { concurrency: 8 }, { throttle });
        expect(requests).toBe(514);
        expect(statusesOf(service)).not.toContain(429);
        expect((performance.now() - begun) / (8 * MINUTE_MS)).toBeLessThanOrEqual(1.02);
      });
    },
  );

  it.each<[string, Partial<ExportOptions>, ClientOptions["throttle"], number]>([
    ["by requestsPerMinute", { requestsPerMinute: 7 }, undefined, 7],
    ["by requestsPerMinute, below the client's throttle", { requestsPerMinute: 7 }, true, 7],
    ["by the client's throttle", {}, { other: { perMinute: 9 } }, 9],
  ])("can be lowered %s", async (_, options, throttle, expected) => {
    await onFakeTime(async () => {
      const { service } = account(meetings(10), LIMITED);
      await exportOf(service, options, { throttle });
      expect(mostPerMinute(service)).toBe(expected);
    });
  });

  it("yields to others who use the same token: nothing is lost, and few requests get a 429", async () => {
    await onFakeTime(async () => {
      const { service } = account(meetings(30), LIMITED);
      const other = clientOf(service);
      for (let used = 0; used < 50; used++) await other.meetings.getTranscript("mtg_00000");
      expect(await exportOf(service, { concurrency: 8 })).toMatchObject({ saved: 90, missing: [] });
      expect(statusesOf(service).filter((status) => status === 429).length).toBeLessThanOrEqual(8);
    });
  });

  it("does not change when the system clock is set back or forward by an hour", async () => {
    for (const hours of [-1, 1]) {
      const { tookMs } = await onFakeTime(async () => {
        const { service } = account(meetings(10));
        let requests = 0;
        const fetch: typeof globalThis.fetch = (...args) => {
          requests += 1;
          if (requests === 20) vi.setSystemTime(Date.now() + hours * 3_600_000);
          return service.fetch(...args);
        };
        await exportOf(service, { requestsPerMinute: 10 }, { fetch });
      });
      expect(Math.round(tookMs / MINUTE_MS), `${hours} h`).toBe(3);
    }
  });

  it("ignores the client's deadline for a call, because a wait may be longer", async () => {
    await onFakeTime(async () => {
      const { service } = account(meetings(10), LIMITED);
      const summary = await exportOf(service, { requestsPerMinute: 5 }, { deadlineMs: 10_000 });
      expect(summary).toMatchObject({ saved: 30, missing: [] });
    });
  });

  it("is also that of a walk", async () => {
    await onFakeTime(async () => {
      const { service } = account(meetings(50), LIMITED);
      for await (const { missing } of walkMeetings(clientOf(service), { concurrency: 8 })) expect(missing).toEqual([]);
      expect(statusesOf(service)).not.toContain(429);
      expect(mostPerMinute(service)).toBe(60);
    });
  });
});

describe("a 429 during an export", () => {
  it("delays all requests as long as the service asks, and is reported as a wait", async () => {
    const { tookMs } = await onFakeTime(async () => {
      const { service } = account(meetings(4), LIMITED);
      service.faults.next("GET /meetings/:id/transcript", { status: 429, retryAfterSeconds: 600, times: 2 });
      service.faults.next("GET /meetings", { status: 429 });
      const waits = new Set<number | undefined>();
      const onProgress: ExportOptions["onProgress"] = ({ phase, waitMs }) => {
        if (phase === "waiting") waits.add(waitMs);
      };
      const retried: string[] = [];
      const onRetry: ClientOptions["onRetry"] = ({ operation }) => void retried.push(operation);
      const summary = await exportOf(service, { onProgress }, { onRetry });
      expect(summary).toMatchObject({ meetings: 4, saved: 12, missing: [] });
      expect(waits).toContain(600_000);
      // The client's own callback is called as well.
      expect(new Set(retried)).toEqual(new Set(["meetings.list", "meetings.getTranscript"]));
    });
    expect(tookMs).toBeGreaterThanOrEqual(600_000);
  });

  it.each([
    ["GET /documents/:id", {}],
    ["GET /meetings/:id/recording", { formats: { transcript: [], documents: [], recording: true } }],
  ] as const)(
    "ends the run if it repeats five times, and the next run resumes the export: %s",
    async (route, options) => {
      await onFakeTime(async () => {
        const { service } = account(meetings(2));
        service.faults.next(route, { status: 429, retryAfterSeconds: 1, times: Number.POSITIVE_INFINITY });
        const into = storeSink(new Map());
        const once = { ...options, into, concurrency: 1 };
        await expect(exportOf(service, once)).rejects.toBeInstanceOf(RateLimitedError);
        expect(statusesOf(service).filter((status) => status === 429)).toHaveLength(5);
        service.faults.clear();
        expect(await exportOf(service, once)).toMatchObject({ resumed: true, meetings: 2, missing: [] });
      });
    },
  );

  it("ends the run at once if the service asks for more than an hour", async () => {
    const { tookMs } = await onFakeTime(async () => {
      const { service } = account(meetings(2));
      service.faults.next("GET /meetings", { status: 429, retryAfterSeconds: 3_601 });
      await expect(exportOf(service)).rejects.toBeInstanceOf(RateLimitedError);
    });
    expect(tookMs).toBeLessThan(MINUTE_MS);
  });

  it.each<[string, { retryAfterSeconds?: number }, ClientOptions]>([
    ["a Retry-After of 0", { retryAfterSeconds: 0 }, { maxRetries: 0 }],
    ["a wait above the client's maxRetryDelayMs", { retryAfterSeconds: 600 }, { maxRetryDelayMs: 1_000 }],
    ["no Retry-After", {}, { maxRetries: 0 }],
  ])("for a recording's link, with %s, delays the export, and no recording is missing", async (_, hint, client) => {
    const { tookMs } = await onFakeTime(async () => {
      const { service } = account(meetings(4));
      service.faults.next("GET /meetings/:id/recording", { status: 429, times: 3, ...hint });
      const store: Store = new Map();
      const formats = { transcript: [], documents: [], recording: true };
      const summary = await exportOf(service, { into: storeSink(store), formats }, client);
      expect(summary).toMatchObject({ meetings: 4, saved: 4, missing: [] });
      expect([...store.keys()].filter((path) => path.endsWith("recording.wav"))).toHaveLength(4);
    });
    expect(tookMs).toBeGreaterThanOrEqual(1_000 * (hint.retryAfterSeconds ?? 0));
  });
});

describe("the download of a recording", () => {
  const formats = { transcript: [], documents: [], recording: true };

  it("waits for a fresh link if a 429 comes for it", async () => {
    const { tookMs } = await onFakeTime(async () => {
      const { service } = account(meetings(1));
      service.faults.next("GET /recordings/:key", "truncate");
      let links = 0;
      const fetch: typeof globalThis.fetch = async (url, init) => {
        if (String(url).endsWith("/recording") && ++links === 2) {
          service.faults.next("GET /meetings/:id/recording", { status: 429, retryAfterSeconds: 600 });
        }
        return service.fetch(url, init);
      };
      expect(await exportOf(service, { formats }, { fetch })).toMatchObject({ saved: 1, missing: [] });
      expect(links).toBe(3);
    });
    expect(tookMs).toBeGreaterThanOrEqual(600_000);
  });

  it("is repeated at the end of the export, and then the recording is missing", async () => {
    await onFakeTime(async () => {
      const { service } = account(meetings(2));
      service.faults.next("GET /recordings/:key", { status: 429, times: Number.POSITIVE_INFINITY });
      const { missing } = await exportOf(service, { formats });
      expect(missing.map(({ what, reason }) => `${what} ${reason}`)).toEqual(["recording failed", "recording failed"]);
      expect(service.requests.filter(({ path }) => path.includes("/recordings/"))).toHaveLength(2 * 2 * 5);
    });
  });
});
