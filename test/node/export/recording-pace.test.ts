/** A 429 on the request for a recording's link delays the export, and is not a failure. */
import { RateLimitedError } from "notetaker-sdk";
import { exportMeetings } from "notetaker-sdk/node";
import { describe, expect, it } from "vitest";
import { account, clientOf, emulatedClock, meetings, type Store, storeSink } from "./export-support.js";

const formats = { transcript: [], documents: [], recording: true };

describe("a 429 on the request for a recording's link", () => {
  it.each([
    ["a Retry-After of 0", { retryAfterSeconds: 0 }, { maxRetries: 0 }],
    ["a client without retries", { retryAfterSeconds: 20 }, { maxRetries: 0 }],
    ["a wait above the client's maxRetryDelayMs", { retryAfterSeconds: 600 }, { maxRetryDelayMs: 1_000 }],
    ["no Retry-After", {}, { maxRetries: 0 }],
  ])("with %s delays the export, and no recording is missing", async (_, fault, options) => {
    const { service } = account(meetings(4));
    const begun = service.clock.now();
    service.faults.next("GET /meetings/:id/recording", { status: 429, times: 3, ...fault });
    const store: Store = new Map();
    const into = { into: storeSink(store), clock: emulatedClock(service), formats };
    const summary = await exportMeetings(clientOf(service, options), into);
    expect(summary).toMatchObject({ meetings: 4, saved: 4, missing: [] });
    expect([...store.keys()].filter((path) => path.endsWith("recording.wav"))).toHaveLength(4);
    if ("retryAfterSeconds" in fault) {
      expect(service.clock.now() - begun).toBeGreaterThanOrEqual(1_000 * (fault.retryAfterSeconds ?? 0));
    }
  });

  it("ends the run after ten waits if it repeats, and the next run resumes the export", async () => {
    const { service } = account(meetings(2));
    const fault = { status: 429, retryAfterSeconds: 1, times: Number.POSITIVE_INFINITY };
    service.faults.next("GET /meetings/:id/recording", fault);
    const store: Store = new Map();
    const options = { into: storeSink(store), clock: emulatedClock(service), formats };
    const notetaker = clientOf(service, { maxRetries: 0 });
    await expect(exportMeetings(notetaker, options)).rejects.toBeInstanceOf(RateLimitedError);
    service.faults.clear();
    expect(await exportMeetings(notetaker, options)).toMatchObject({ resumed: true, saved: 2, missing: [] });
  });

  it("delays the export even if it comes for a fresh link during the download", async () => {
    const { service } = account(meetings(1));
    const begun = service.clock.now();
    service.faults.next("GET /recordings/:key", "truncate");
    let links = 0;
    const fetch: typeof globalThis.fetch = async (url, init) => {
      if (String(url).endsWith("/recording") && ++links === 2) {
        service.faults.next("GET /meetings/:id/recording", { status: 429, retryAfterSeconds: 600 });
      }
      return service.fetch(url, init);
    };
    const options = { into: storeSink(new Map()), clock: emulatedClock(service), formats };
    const summary = await exportMeetings(clientOf(service, { fetch, maxRetryDelayMs: 1_000 }), options);
    expect(summary).toMatchObject({ saved: 1, missing: [] });
    expect(links).toBe(3);
    expect(service.clock.now() - begun).toBeGreaterThanOrEqual(600_000);
  });

  it("of the storage is retried, and reported if it repeats", async () => {
    const { service } = account(meetings(2));
    service.faults.next("GET /recordings/:key", { status: 429, times: Number.POSITIVE_INFINITY });
    const options = { into: storeSink(new Map()), clock: emulatedClock(service), formats };
    const { missing } = await exportMeetings(clientOf(service, { maxRetries: 0 }), options);
    expect(missing.map(({ what, reason }) => `${what} ${reason}`)).toEqual(["recording failed", "recording failed"]);
  });
});

describe("a recording whose download breaks off", () => {
  it("is downloaded again, and saved", async () => {
    const { service } = account(meetings(1));
    service.faults.next("GET /recordings/:key", "truncate");
    const options = { into: storeSink(new Map()), clock: emulatedClock(service), formats };
    const summary = await exportMeetings(clientOf(service, { maxRetries: 0 }), options);
    expect(summary).toMatchObject({ saved: 1, missing: [] });
  });
});
