/** `timeoutMs` limits one attempt, including its body. `deadlineMs` limits the whole call. */
import { type ClientOptions, Notetaker, TimeoutError } from "notetaker-sdk";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { BrowserRequest } from "../support/browser-request.js";
import { never, stalledBody } from "../support/failures.js";
import { BASE_URL, clientOf, type Handler, json, refusal, TOKEN } from "../support/recorder.js";
import * as samples from "../support/samples.js";

beforeEach(() => void vi.useFakeTimers({ now: 0 }));

const later = <T>(ms: number, value: () => T) => new Promise<T>((resolve) => setTimeout(() => resolve(value()), ms));

/** Advances the clock until the call has ended, and returns the duration and the result. */
async function ended(promise: PromiseLike<unknown>) {
  const started = Date.now();
  let tookMs: number | undefined;
  const result = Promise.resolve(promise).then(
    (value) => {
      tookMs = Date.now() - started;
      return { value, error: undefined };
    },
    (error: unknown) => {
      tookMs = Date.now() - started;
      return { value: undefined, error };
    },
  );
  await vi.runAllTimersAsync();
  return { ...(await result), tookMs };
}

describe("timeoutMs", () => {
  it("is 30 seconds by default, for each attempt", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0);
    const { notetaker, seen } = clientOf(() => never());
    const { error, tookMs } = await ended(notetaker.webhooks.list());
    const facts = { timeoutMs: 30_000, outcome: "unknown", attempts: 3, retryable: true };
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject(facts);
    expect(tookMs).toBe(90_000);
    expect(seen).toHaveLength(3);
  });

  it("accepts a response that comes just before its end", async () => {
    const { notetaker } = clientOf(() => later(99, () => json([])), { timeoutMs: 100 });
    expect((await ended(notetaker.webhooks.list())).value).toEqual([]);
  });

  it("is one limit for the token function and the request", async () => {
    const token = () => later(60, () => TOKEN);
    const { notetaker, seen } = clientOf(() => later(60, () => json([])), { token, timeoutMs: 100, maxRetries: 0 });
    const { error, tookMs } = await ended(notetaker.webhooks.list());
    expect(error).toMatchObject({ name: "TimeoutError", outcome: "unknown", attempts: 1 });
    expect((error as Error).message).toContain("(timeoutMs)");
    expect([tookMs, seen.length]).toEqual([100, 1]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("does not include the wait of the throttle, after which the rest of the time is left", async () => {
    const throttle = { acquire: () => later(1_000, () => undefined), pause: () => {} };
    const options = { token: () => later(30, () => TOKEN), throttle, timeoutMs: 100, maxRetries: 0 };
    const inTime = clientOf(() => later(69, () => json([])), options);
    expect(await ended(inTime.notetaker.webhooks.list())).toMatchObject({ value: [], tookMs: 1_099 });
    const late = clientOf(() => later(71, () => json([])), options);
    expect(await ended(late.notetaker.webhooks.list())).toMatchObject({
      error: { name: "TimeoutError" },
      tookMs: 1_100,
    });
  });

  it.each(["timeoutMs", "deadlineMs"])("of a call overrides the client's, as does its deadlineMs: %s", async (name) => {
    const { notetaker } = clientOf(() => never(), { [name]: 100, maxRetries: 0 });
    expect((await ended(notetaker.webhooks.list({ [name]: 70 }))).tookMs).toBe(70);
    expect((await ended(notetaker.webhooks.list({ [name]: undefined }))).tookMs).toBe(100);
  });

  it.each<[string, Handler, ClientOptions?]>([
    ["the body", () => later(60, () => stalledBody('[{"id":'))],
    ["middleware", () => json([]), { middleware: [(request, next) => later(150, () => request).then(next)] }],
  ])("includes %s", async (_, handler, options) => {
    const { notetaker } = clientOf(handler, { timeoutMs: 100, maxRetries: 0, ...options });
    const { error, tookMs } = await ended(notetaker.webhooks.list());
    expect(error).toMatchObject({ name: "TimeoutError", outcome: "unknown" });
    expect(tookMs).toBe(100);
  });

  it("limits the reading of an error response, which then fails with its status", async () => {
    const { notetaker } = clientOf(() => stalledBody("<html>", 500), { timeoutMs: 100 });
    const { error, tookMs } = await ended(notetaker.meetings.sendBot({ meeting_url: "https://zoom.us/j/1" }));
    expect(error).toMatchObject({ name: "ServerError", outcome: "unknown", attempts: 1, retryable: false });
    expect(tookMs).toBe(100);
  });

  it("does not prevent the retry of a 429 whose body stalls", async () => {
    const { notetaker, seen } = clientOf(
      (_, index) => (index === 0 ? stalledBody("{", 429) : json({ meeting_id: "mtg_1", status: "scheduling" }, 202)),
      { timeoutMs: 100 },
    );
    const { error } = await ended(notetaker.meetings.sendBot({ meeting_url: "https://zoom.us/j/1" }));
    expect(error).toBeUndefined();
    expect(seen).toHaveLength(2);
  });

  it("does not limit an upload in a browser, whose fetch does not report progress", async () => {
    vi.stubGlobal("Request", BrowserRequest);
    const fetch = () => later(500, () => json({ id: "mtg_1", status: "processing" }));
    const { notetaker } = clientOf(() => json({}), { fetch, timeoutMs: 100 });
    const upload = notetaker.meetings.upload(new Uint8Array(9), { contentType: "audio/wav" });
    expect((await ended(upload)).value).toMatchObject({ id: "mtg_1" });
  });

  it("ignores the late response of an attempt that has timed out", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0);
    const { notetaker } = clientOf(
      (_, index) =>
        index === 0
          ? later(150, () => json([{ ...samples.webhook, id: "whk_late" }]))
          : later(50, () => json([{ ...samples.webhook, id: "whk_second" }])),
      { timeoutMs: 100 },
    );
    const { value } = await ended(notetaker.webhooks.list());
    expect(value).toMatchObject([{ id: "whk_second" }]);
  });

  it("leaves no timer, however the call ends", async () => {
    for (const answer of [() => json([]), () => refusal(404, "not_found"), () => new Response("<html>")]) {
      const { notetaker } = clientOf(answer, { deadlineMs: 60_000 });
      await notetaker.webhooks.list().catch(() => {});
      expect(vi.getTimerCount()).toBe(0);
    }
  });
});

describe("timeoutMs of an upload", () => {
  it("limits the time without progress, even before the first byte is read", async () => {
    const notetaker = new Notetaker({ baseUrl: BASE_URL, token: TOKEN, timeoutMs: 100, fetch: () => never() });
    const { error, tookMs } = await ended(notetaker.meetings.upload(samples.audio));
    expect((error as Error).message).toContain("(timeoutMs without progress)");
    expect(error).toMatchObject({ name: "TimeoutError", attempts: 1, outcome: "unknown", retryable: false });
    expect(tookMs).toBe(100);
  });
});

describe("deadlineMs", () => {
  it.each([never, () => stalledBody("[")])(
    "ends a call without a response, or whose body stalls: %o",
    async (answer) => {
      const { notetaker } = clientOf(answer, { deadlineMs: 250 });
      const { error, tookMs } = await ended(notetaker.webhooks.list());
      expect(error).toBeInstanceOf(TimeoutError);
      expect(error).toMatchObject({ timeoutMs: 250, outcome: "unknown", attempts: 1, retryable: true });
      expect(tookMs).toBe(250);
    },
  );

  it.each([
    ["an hour forward", 3_600_000],
    ["an hour back", -3_600_000],
  ])("does not change if the system clock is set %s", async (_, ms) => {
    const { notetaker, seen } = clientOf(
      (_request, index) => {
        vi.setSystemTime(Date.now() + ms);
        return index === 0 ? refusal(503, "unavailable", { "retry-after": "1" }) : json([]);
      },
      { deadlineMs: 2_000 },
    );
    expect((await ended(notetaker.webhooks.list())).value).toEqual([]);
    expect(seen).toHaveLength(2);
  });

  it("limits all attempts together", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0);
    const { notetaker, seen } = clientOf(() => never(), { timeoutMs: 100, maxRetries: 10 });
    const { error, tookMs } = await ended(notetaker.webhooks.list({ deadlineMs: 250 }));
    expect(error).toMatchObject({ name: "TimeoutError", timeoutMs: 250, attempts: 3 });
    expect(tookMs).toBe(250);
    expect(seen).toHaveLength(3);
  });

  it("includes the token function: nothing was sent then", async () => {
    const { notetaker, seen } = clientOf(() => json([]), { token: () => never<string>(), deadlineMs: 50 });
    const { error, tookMs } = await ended(notetaker.webhooks.list());
    expect(error).toMatchObject({ name: "TimeoutError", outcome: "not_sent", attempts: 0 });
    expect(tookMs).toBe(50);
    expect(seen).toEqual([]);
  });

  it.each([{ deadlineMs: 50 }, { timeoutMs: 50 }])(
    "that ends in the token function leaves the outcome of the attempts before, as %o does: a 429 did nothing",
    async (options) => {
      let asked = 0;
      const token = () => (++asked === 1 ? TOKEN : never<string>());
      const { notetaker } = clientOf(() => refusal(429, "rate_limited", { "retry-after": "0" }), { token });
      const call = notetaker.meetings.sendBot({ meeting_url: "https://zoom.us/j/1" }, options);
      expect((await ended(call)).error).toMatchObject({ outcome: "rejected", retryable: true, attempts: 1 });
    },
  );

  it("limits each page of an iteration separately, because each page is one call", async () => {
    const { notetaker } = clientOf((_, index) =>
      later(80, () => json(samples.page([samples.room], index < 2 ? `c${index}` : null))),
    );
    const { value, tookMs } = await ended(notetaker.rooms.list({}, { deadlineMs: 100 }).toArray({ max: 10 }));
    expect(value).toHaveLength(3);
    expect(tookMs).toBe(240);
  });
});
