/** The throttle of one process, with a service that records when each request arrives. */
import { getEventListeners } from "node:events";
import { type ClientOptions, RateLimitedError, ServerError, TimeoutError } from "notetaker-sdk";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { BASE_URL, clientOf, json, refusal, rejection, rejectionOf, TOKEN } from "../support/recorder.js";
import * as samples from "../support/samples.js";

beforeEach(() => void vi.useFakeTimers());

const MINUTE = 60_000;
const bot = { meeting_url: "https://zoom.us/j/1" };

/** A client of a service that accepts everything, with the arrival time and path of each request. */
function throttled(options: ClientOptions = {}, headers: Record<string, string> = {}) {
  const arrivals: { path: string; at: number }[] = [];
  const { notetaker } = clientOf(
    ({ path }) => {
      arrivals.push({ path, at: performance.now() });
      if (path === "/meetings/bot") return json({ meeting_id: "mtg_1", status: "scheduling" }, 202, headers);
      if (path === "/meetings/upload") return json({ id: "mtg_1", status: "processing" }, 200, headers);
      return json([], 200, headers);
    },
    { throttle: true, ...options },
  );
  return { notetaker, arrivals };
}

/** The largest number of arrivals within any window of `windowMs`. */
const most = (arrivals: { at: number }[], windowMs: number) =>
  Math.max(...arrivals.map(({ at }) => arrivals.filter((other) => other.at >= at && other.at < at + windowMs).length));

const nothing = () => {};

const wav = { contentType: "audio/wav" };
// biome-ignore lint/correctness/useYield: it fails before its first bytes
async function* failing(): AsyncGenerator<Uint8Array> {
  throw new Error("the drive is gone");
}
async function* hanging(): AsyncGenerator<Uint8Array> {
  yield await new Promise<Uint8Array>(nothing);
}

/** The headers of the service when the limit of this size is used up. */
const spent = (limit: string) => ({
  "x-ratelimit-limit": limit,
  "x-ratelimit-remaining": "0",
  "x-ratelimit-reset": "1",
});
const hook = { url: "https://example.com/hook", events: ["meeting.transcript_ready" as const] };

describe("the local throttle", () => {
  it("sends 10 bots at once, and then never exceeds the limit of any minute or hour", async () => {
    const { notetaker, arrivals } = throttled();
    const start = performance.now();
    const calls = Array.from({ length: 75 }, () => notetaker.meetings.sendBot(bot));
    await vi.advanceTimersByTimeAsync(1);
    expect(arrivals).toHaveLength(10);
    await vi.advanceTimersByTimeAsync(2 * 60 * MINUTE);
    await Promise.all(calls);
    expect(arrivals).toHaveLength(75);
    expect(most(arrivals, MINUTE)).toBe(10);
    expect(most(arrivals, 60 * MINUTE)).toBe(60);
    // No time is lost: the eleventh bot is sent a minute after the first.
    expect((arrivals[10]?.at ?? 0) - start).toBeGreaterThanOrEqual(MINUTE);
    expect((arrivals[10]?.at ?? 0) - start).toBeLessThan(MINUTE + 400);
    expect((arrivals[60]?.at ?? 0) - start).toBeLessThan(60 * MINUTE + 400);
  });

  it("counts uploads separately, and all other calls together, including the creation of webhooks", async () => {
    const { notetaker, arrivals } = throttled();
    const calls = [
      ...Array.from({ length: 12 }, () => notetaker.meetings.upload(samples.audio)),
      ...Array.from({ length: 25 }, () => notetaker.webhooks.create(hook).catch(nothing)),
      ...Array.from({ length: 50 }, () => notetaker.webhooks.list()),
    ];
    await vi.advanceTimersByTimeAsync(1);
    const to = (path: string) => arrivals.filter((arrival) => arrival.path === path);
    expect([to("/meetings/upload").length, to("/webhooks").length]).toEqual([10, 60]);
    await vi.advanceTimersByTimeAsync(3 * MINUTE);
    await Promise.all(calls);
    expect(arrivals).toHaveLength(87);
    expect(most(to("/webhooks"), MINUTE)).toBe(60);
  });

  it("uses the user's limits for each kind of call", async () => {
    const { notetaker, arrivals } = throttled({
      throttle: { sendBot: { perMinute: 1 }, upload: { perMinute: 2 }, createWebhook: { perMinute: 3 } },
    });
    const calls = Array.from({ length: 4 }, () => [
      notetaker.meetings.sendBot(bot),
      notetaker.meetings.upload(samples.audio),
      notetaker.webhooks.create(hook).catch(nothing),
    ]).flat();
    await vi.advanceTimersByTimeAsync(1);
    const count = (path: string) => arrivals.filter((arrival) => arrival.path === path).length;
    expect([count("/meetings/bot"), count("/meetings/upload"), count("/webhooks")]).toEqual([1, 2, 3]);
    await vi.advanceTimersByTimeAsync(4 * MINUTE);
    await Promise.all(calls);
  });

  it("counts the upload of a stream when it is sent, however slow its first bytes are", async () => {
    const { notetaker, arrivals } = throttled({ throttle: { upload: { perMinute: 2 } } });
    async function* source(firstMs: number) {
      await new Promise((resolve) => setTimeout(resolve, firstMs));
      yield new Uint8Array(10);
    }
    const start = performance.now();
    const calls = [20_000, 20_000, 0, 0].map((ms) => notetaker.meetings.upload(source(ms), wav));
    await vi.advanceTimersByTimeAsync(3 * MINUTE);
    await Promise.all(calls);
    expect(arrivals.map(({ at }) => Math.round((at - start) / MINUTE))).toEqual([0, 0, 1, 1]);
    expect(most(arrivals, MINUTE)).toBe(2);
  });

  it.each<[what: string, source: () => AsyncGenerator<Uint8Array>, error: object]>([
    ["fails", failing, { name: "ConnectionError", cause: { message: "the drive is gone" } }],
    ["gives nothing within timeoutMs", hanging, { name: "TimeoutError", message: expect.stringContaining("progress") }],
  ])("counts no upload of a stream that %s, and opens no other source before its turn", async (_, source, expected) => {
    const { notetaker, arrivals } = throttled({ throttle: { upload: { perMinute: 1 } } });
    const failed = rejection(notetaker.meetings.upload(source(), wav, { timeoutMs: 1_000 }));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await failed).toMatchObject({ outcome: "not_sent", retryable: false, attempts: 0, ...expected });
    const stream = vi.fn(() => new Blob(["bytes"]).stream());
    const calls = [0, 1].map(() => notetaker.meetings.upload({ stream }, wav));
    await vi.advanceTimersByTimeAsync(1_000);
    expect([arrivals.length, stream.mock.calls.length]).toEqual([1, 1]);
    await vi.advanceTimersByTimeAsync(MINUTE);
    await Promise.all(calls);
  });

  it("calls the token function again only after a wait, and leaves no listener on the caller's signal", async () => {
    let asked = 0;
    const { notetaker, seen } = clientOf(() => json([]), {
      throttle: { other: { perMinute: 1 } },
      token: () => `tok_${++asked}`,
    });
    const { signal } = new AbortController();
    const calls = [notetaker.webhooks.list({ signal }), notetaker.webhooks.list({ signal })];
    await vi.advanceTimersByTimeAsync(MINUTE + 400);
    await Promise.all(calls);
    expect(asked).toBe(3);
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(["Bearer tok_1", "Bearer tok_3"]);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  it("rejects at once if the wait would exceed the deadline, and takes no place", async () => {
    const { notetaker, arrivals } = throttled({ throttle: { other: { perMinute: 1 } } });
    await notetaker.webhooks.list();
    const started = performance.now();
    const error = await rejectionOf(TimeoutError, notetaker.webhooks.list({ deadlineMs: 30_000 }));
    expect(error).toMatchObject({ outcome: "not_sent", attempts: 0, timeoutMs: 30_000, request: { method: "GET" } });
    expect(error.message).toContain("waiting for the throttle");
    expect(performance.now()).toBe(started);
    const next = notetaker.webhooks.list({ deadlineMs: 61_000 });
    await vi.advanceTimersByTimeAsync(MINUTE + 400);
    await next;
    expect(arrivals).toHaveLength(2);
  });

  it("ends a wait at once when a pause of the service makes it exceed the deadline", async () => {
    const { notetaker } = clientOf(
      (_, index) => (index === 1 ? refusal(429, "rate_limited", { "retry-after": "300" }) : json([])),
      { throttle: { other: { perMinute: 2 } }, maxRetries: 0, maxRetryDelayMs: 300_000 },
    );
    await notetaker.webhooks.list();
    const refused = rejection(notetaker.webhooks.list());
    const late = rejectionOf(TimeoutError, notetaker.webhooks.list({ deadlineMs: 70_000 }));
    await vi.advanceTimersByTimeAsync(0);
    expect(await late).toMatchObject({ outcome: "not_sent", attempts: 0 });
    expect(await refused).toBeInstanceOf(RateLimitedError);
    // The attempt before the wait has an outcome.
    const again = clientOf(() => refusal(429, "rate_limited", { "retry-after": "0" }), {
      throttle: { other: { perMinute: 1 } },
      deadlineMs: 30_000,
    });
    const ended = rejectionOf(TimeoutError, again.notetaker.webhooks.list());
    await vi.advanceTimersByTimeAsync(1);
    expect(await ended).toMatchObject({ outcome: "rejected", attempts: 1 });
    expect(again.seen).toHaveLength(1);
  });

  it("counts every attempt and every page", async () => {
    const arrivals: { at: number }[] = [];
    const { notetaker } = clientOf(
      (_, index) => {
        arrivals.push({ at: performance.now() });
        if (index === 1) return refusal(503, "unavailable", { "retry-after": "0" });
        return json(samples.page([samples.room], index < 3 ? `c${index}` : null));
      },
      { throttle: { other: { perMinute: 2 } } },
    );
    const rooms = notetaker.rooms.list().toArray({ max: 100 });
    await vi.advanceTimersByTimeAsync(3 * MINUTE);
    expect(await rooms).toHaveLength(3);
    expect(most(arrivals, MINUTE)).toBe(2);
  });

  it("does not stand still under fake timers that leave performance.now as it is", async () => {
    vi.useRealTimers();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
    const start = Date.now();
    const times: number[] = [];
    const { notetaker } = clientOf(() => json([]), { throttle: { other: { perMinute: 1 } } });
    const calls = [1, 2, 3].map(() => notetaker.webhooks.list().then(() => times.push(Date.now() - start)));
    await vi.advanceTimersByTimeAsync(5 * MINUTE);
    await Promise.all(calls);
    expect(times.map((time) => Math.round(time / MINUTE))).toEqual([0, 1, 2]);
  });

  it("is shared by the clients of withOptions, unless they have their own throttle, or none", async () => {
    const { notetaker, arrivals } = throttled({ throttle: { other: { perMinute: 1 } } });
    const [another, none] = [true, false].map((throttle) => notetaker.withOptions({ throttle }));
    await Promise.all([notetaker, another!, none!, none!].map(({ webhooks }) => webhooks.list()));
    expect(vi.getTimerCount()).toBe(0);
    const waiting = notetaker.withOptions({ timeoutMs: 50 }).webhooks.list();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(arrivals).toHaveLength(4);
    await vi.advanceTimersByTimeAsync(MINUTE);
    await waiting;
  });

  it("reports each wait, with its duration, to the log and to onThrottle", async () => {
    const onThrottle = vi.fn();
    const logger = vi.fn();
    const { notetaker } = throttled({ throttle: { other: { perMinute: 1 } }, onThrottle, logger });
    const calls = [notetaker.webhooks.list()];
    await vi.advanceTimersByTimeAsync(10_000);
    calls.push(notetaker.webhooks.list());
    await vi.advanceTimersByTimeAsync(MINUTE + 400);
    await Promise.all(calls);
    expect(onThrottle).toHaveBeenCalledTimes(1);
    const report = onThrottle.mock.calls[0]?.[0];
    expect(report).toEqual({ operation: "webhooks.list", waitMs: MINUTE + 300 - 10_000 });
    expect(logger).toHaveBeenCalledWith("info", "notetaker: waiting for the rate limit", report);
  });

  it("reports a wait again if a pause of the service makes it longer", async () => {
    const onThrottle = vi.fn();
    const { notetaker } = throttled(
      { throttle: { other: { perMinute: 2 } }, onThrottle, maxRetryDelayMs: 5 * MINUTE },
      { ...spent("2"), "retry-after": "120" },
    );
    const first = notetaker.webhooks.list();
    const calls = [first, notetaker.webhooks.list(), notetaker.webhooks.list()];
    await first;
    await vi.advanceTimersByTimeAsync(5 * MINUTE);
    await Promise.all(calls);
    expect(onThrottle.mock.calls.map(([{ waitMs }]) => waitMs)).toEqual([MINUTE + 300, 2 * MINUTE]);
  });
});

describe("a rate limit that the service reports", () => {
  it("holds calls back if it is used up, until its reset by the service's clock", async () => {
    // This machine's clock is 90 s behind the service's.
    const serviceNow = Date.now() + 90_000;
    const reset = String(Math.floor(serviceNow / 1_000) + 20);
    const date = new Date(serviceNow).toUTCString();
    const { notetaker, arrivals } = throttled({}, { ...spent("60"), "x-ratelimit-reset": reset, date });
    await notetaker.webhooks.list();
    const held = notetaker.webhooks.list();
    await notetaker.meetings.sendBot(bot);
    await vi.advanceTimersByTimeAsync(18_000);
    expect(arrivals).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(2_500);
    await held;
    expect(arrivals).toHaveLength(3);
  });

  it("holds back no call of another limit of the same size", async () => {
    const { notetaker, arrivals } = throttled({}, { ...spent("60"), "retry-after": "20" });
    await notetaker.meetings.sendBot(bot);
    const list = notetaker.webhooks.list();
    await vi.advanceTimersByTimeAsync(1);
    expect(arrivals).toHaveLength(2);
    await list;
  });

  it.each<[what: string, options: ClientOptions]>([
    ["that is waited for", {}],
    ["longer than maxRetryDelayMs", { maxRetryDelayMs: 1_000 }],
  ])("holds back no bot and no upload after a 429 of a list: a pause %s", async (_, options) => {
    const { notetaker, seen } = clientOf(
      ({ path }) => {
        if (path === "/meetings/bot") return json({ meeting_id: "mtg_1", status: "scheduling" }, 202);
        if (path === "/meetings/upload") return json({ id: "mtg_1", status: "processing" });
        return refusal(429, "rate_limited", { "retry-after": "50" });
      },
      { throttle: true, maxRetries: 0, ...options },
    );
    await rejectionOf(RateLimitedError, notetaker.rooms.list());
    await notetaker.meetings.sendBot(bot);
    await notetaker.meetings.upload(samples.audio);
    expect(seen).toHaveLength(3);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("holds back all calls after a 429, and then sends them in order", async () => {
    const arrivals: string[] = [];
    const { notetaker } = clientOf(
      ({ query }, index) => {
        arrivals.push(query.map(([, value]) => value).join());
        return index === 0 ? refusal(429, "rate_limited", { "retry-after": "7" }) : json([]);
      },
      { throttle: true, maxRetries: 0 },
    );
    await rejectionOf(RateLimitedError, notetaker.webhooks.list({ query: { n: 1 } }));
    const calls = [2, 3, 4].map((n) => notetaker.webhooks.list({ query: { n } }));
    await vi.advanceTimersByTimeAsync(6_900);
    expect(arrivals).toEqual(["1"]);
    await vi.advanceTimersByTimeAsync(200);
    await Promise.all(calls);
    expect(arrivals).toEqual(["1", "2", "3", "4"]);
  });

  it.each([
    ["60", []],
    ["20", ["GET /webhooks"]],
  ])("holds back the calls of the limit with the reported size: %s", async (limit, others) => {
    const arrivals: string[] = [];
    const { notetaker } = clientOf(
      ({ method, path }) => {
        arrivals.push(`${method} ${path}`);
        const headers = { "retry-after": "20", ...spent(limit) };
        return json([], 200, method === "POST" ? headers : {});
      },
      { throttle: true },
    );
    await notetaker.webhooks.create(hook).catch(nothing);
    const calls = [notetaker.webhooks.create(hook).catch(nothing), notetaker.webhooks.list()];
    await vi.advanceTimersByTimeAsync(19_000);
    // The creation of a webhook counts for both limits.
    expect(arrivals).toEqual(["POST /webhooks", ...others]);
    await vi.advanceTimersByTimeAsync(MINUTE);
    await Promise.all(calls);
    expect(arrivals).toHaveLength(3);
  });

  it("is passed to a user's throttle with the operation, the token and the duration", async () => {
    const pause = vi.fn();
    const { notetaker } = clientOf(
      (_, index) => {
        if (index === 0) return refusal(429, "rate_limited");
        if (index === 1) return refusal(503, "unavailable", { "retry-after": "7" });
        if (index === 2) return json([], 200, { ...spent("60"), "x-ratelimit-remaining": "1", "retry-after": "7" });
        return refusal(429, "rate_limited", { ...spent("60"), "retry-after": "7" });
      },
      { throttle: { acquire: async () => {}, pause }, maxRetries: 0 },
    );
    await rejectionOf(RateLimitedError, notetaker.webhooks.list());
    await rejectionOf(ServerError, notetaker.webhooks.list());
    await notetaker.webhooks.list();
    expect(pause).not.toHaveBeenCalled();
    await rejectionOf(RateLimitedError, notetaker.webhooks.list());
    expect(pause.mock.calls).toEqual([[{ operation: "webhooks.list", token: TOKEN, limit: 60, pauseMs: 7_000 }]]);
  });

  it("holds calls back for a minute at most after a 429 that is not the service's", async () => {
    const { notetaker, seen } = clientOf(
      (_, index) =>
        index === 0 ? new Response("<h1>", { status: 429, headers: { "retry-after": "86400" } }) : json([]),
      { throttle: true },
    );
    const error = await rejectionOf(RateLimitedError, notetaker.webhooks.list());
    expect(error).toMatchObject({ fromService: false, retryAfterMs: 86_400_000 });
    const held = notetaker.webhooks.list();
    await vi.advanceTimersByTimeAsync(MINUTE - 1);
    expect(seen).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(2);
    expect(await held).toEqual([]);
  });

  it.each<[what: string, headers: Record<string, string>]>([
    ["a Retry-After", { "retry-after": "7" }],
    ["a reset", { "x-ratelimit-reset": String(Math.floor(Date.now() / 1_000) + 7), date: new Date().toUTCString() }],
  ])("holds calls back if it is used up and the response does not say how large it is: %s", async (_, headers) => {
    const { notetaker, arrivals } = throttled({}, { "x-ratelimit-remaining": "0", ...headers });
    await notetaker.webhooks.list();
    const held = notetaker.webhooks.list();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(arrivals).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(2_000);
    await held;
  });

  it("is ignored if its reset is invalid", async () => {
    for (const reset of ["0", "nonsense", "99999999999999"]) {
      const { notetaker, arrivals } = throttled({}, { ...spent("60"), "x-ratelimit-reset": reset });
      await notetaker.webhooks.list();
      await notetaker.webhooks.list();
      expect(arrivals, reset).toHaveLength(2);
    }
  });

  it("is not waited for beyond maxRetryDelayMs: each call of its limit fails, until the rest is short enough", async () => {
    const { notetaker, seen } = clientOf(
      (_, index) => (index === 0 ? refusal(429, "rate_limited", { "retry-after": "60000" }) : json([])),
      { throttle: { other: { perMinute: 1 } }, maxRetryDelayMs: 30_000 },
    );
    const first = rejectionOf(RateLimitedError, notetaker.webhooks.list());
    const waiting = [1, 2].map(() => rejectionOf(RateLimitedError, notetaker.webhooks.list()));
    expect(await first).toMatchObject({ outcome: "rejected", attempts: 1, retryAfterMs: 60_000_000 });
    await vi.advanceTimersByTimeAsync(20_000);
    for (const error of await Promise.all(waiting)) expect(error.outcome).toBe("not_sent");
    const error = await rejectionOf(RateLimitedError, notetaker.webhooks.list({ deadlineMs: 5_000 }));
    expect(error).toMatchObject({
      outcome: "not_sent",
      attempts: 0,
      status: 429,
      code: "rate_limited",
      retryable: true,
      retryAfterMs: 59_980_000,
      request: { method: "GET", url: `${BASE_URL}/webhooks` },
    });
    expect(error.message).toContain("the service asked for a pause");
    expect(seen).toHaveLength(1);
    const patient = notetaker.withOptions({ maxRetryDelayMs: 60_000_000 }).webhooks.list();
    await vi.advanceTimersByTimeAsync(59_970_000);
    // The wait for a place of the limit itself is longer than maxRetryDelayMs, too, and has no bound.
    const last = notetaker.webhooks.list();
    await vi.advanceTimersByTimeAsync(2 * MINUTE);
    expect(await Promise.all([patient, last])).toEqual([[], []]);
  });
});

describe("a throttle of the user", () => {
  const forever = () => new Promise<never>(() => {});
  const limited = (_: unknown, index: number) =>
    index === 0 ? json([], 200, { ...spent("60"), "retry-after": "7" }) : json([]);

  it("that hangs ends the wait of no call that is aborted or reaches its deadline", async () => {
    const { notetaker, seen } = clientOf(limited, { throttle: { acquire: forever, pause() {} } });
    const controller = new AbortController();
    const aborted = rejection(notetaker.webhooks.list({ signal: controller.signal }));
    const late = rejectionOf(TimeoutError, notetaker.webhooks.list({ deadlineMs: 1_000 }));
    await vi.advanceTimersByTimeAsync(1_000);
    controller.abort("no longer");
    expect(await aborted).toBe("no longer");
    expect(await late).toMatchObject({ outcome: "not_sent", attempts: 0 });
    expect(seen).toEqual([]);
  });

  const fail = () => {
    throw new Error("no store");
  };
  it.each<[what: string, pause: () => void | Promise<void>, logged: boolean]>([
    ["hangs", forever, false],
    ["throws", fail, true],
    ["rejects", async () => fail(), true],
  ])("whose pause %s changes no result, and a failure is logged", async (_, pause, logged) => {
    const logger = vi.fn();
    const { notetaker } = clientOf(limited, { throttle: { acquire: async () => {}, pause }, logger });
    expect(await notetaker.webhooks.list()).toEqual([]);
    await vi.advanceTimersByTimeAsync(0);
    expect(logger.mock.calls.some(([level]) => level === "warn")).toBe(logged);
  });
});
