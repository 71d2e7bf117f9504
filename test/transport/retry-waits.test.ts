/** How long is waited between two attempts. */
import { type ClientOptions, NotetakerError, type RequestOptions } from "notetaker-sdk";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { clientOf, json, refusal, rejectionOf } from "../support/recorder.js";

const NOW = Date.parse("2026-03-01T12:00:00Z");
beforeEach(() => void vi.useFakeTimers({ now: NOW }));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** The waits before each attempt but the first, and the error that the call ended in, when it did. */
async function waits(
  answer: () => Response,
  { maxRetries = 1, ...client }: ClientOptions = {},
  options: RequestOptions = {},
) {
  const at: number[] = [];
  const { notetaker } = clientOf(
    (_, index) => {
      at.push(Date.now());
      return index < maxRetries + 1 ? answer() : json([]);
    },
    { maxRetries, ...client },
  );
  const ended = rejectionOf(NotetakerError, notetaker.webhooks.list(options));
  await vi.runAllTimersAsync();
  const error = await ended;
  return { waits: at.slice(1).map((time, index) => time - at[index]!), error, attempts: at.length };
}

const limited = (headers: Record<string, string>) => () => refusal(429, "rate_limited", headers);
const down =
  (headers: Record<string, string>, status = 503) =>
  () =>
    refusal(status, "unavailable", headers);
const date = (ms: number) => new Date(NOW + ms).toUTCString();
const unix = (ms: number) => String((NOW + ms) / 1000);

describe("a hint of the service is followed to the millisecond", () => {
  it.each<[string, () => Response, number]>([
    ["Retry-After in seconds", limited({ "retry-after": "7" }), 7_000],
    ["Retry-After of nothing", limited({ "retry-after": "0" }), 0],
    ["Retry-After with a fraction", limited({ "retry-after": "1.5" }), 1_500],
    ["Retry-After between blanks", limited({ "retry-after": " 3 " }), 3_000],
    ["Retry-After as a date", limited({ "retry-after": date(9_000) }), 9_000],
    ["Retry-After as a date that is past", limited({ "retry-after": date(-9_000) }), 0],
    [
      "Retry-After as a date, by the clock of the service",
      limited({ "retry-after": date(3_600_000 + 9_000), date: date(3_600_000) }),
      9_000,
    ],
    ["X-RateLimit-Reset", limited({ "x-ratelimit-reset": unix(4_000) }), 4_000],
    ["X-RateLimit-Reset that is past", limited({ "x-ratelimit-reset": unix(-4_000) }), 0],
    ["Retry-After before X-RateLimit-Reset", limited({ "retry-after": "2", "x-ratelimit-reset": unix(30_000) }), 2_000],
    [
      "X-RateLimit-Reset where Retry-After says nothing",
      limited({ "retry-after": "soon", "x-ratelimit-reset": unix(30_000) }),
      30_000,
    ],
    ["Retry-After on a 503", down({ "retry-after": "5" }), 5_000],
    ["Retry-After on a 500", down({ "retry-after": "5" }, 500), 5_000],
    ["Retry-After on a 503 as a date", down({ "retry-after": date(6_000) }), 6_000],
    ["Retry-After on a 429 with another code", () => refusal(429, "forbidden", { "retry-after": "5" }), 5_000],
  ])("%s", async (_, answer, expected) => {
    expect((await waits(answer)).waits).toEqual([expected]);
  });
});

describe("without a hint the wait is random: up to 0.5, 1, 2, then 4 s", () => {
  const NO_HINT: [string, () => Response][] = [
    ["a 429", limited({})],
    ["a 500", down({}, 500)],
    ["a Retry-After that is no number", limited({ "retry-after": "soon" })],
    ["a negative Retry-After", limited({ "retry-after": "-5" })],
    ["an empty Retry-After", limited({ "retry-after": "" })],
    ["a Retry-After in hexadecimal", limited({ "retry-after": "0x10" })],
    ["a Retry-After that is a number and more", limited({ "retry-after": "5 minutes" })],
    ["an X-RateLimit-Reset that is no number", limited({ "x-ratelimit-reset": "soon" })],
    ["X-RateLimit-Reset on a 503, where it means nothing", down({ "x-ratelimit-reset": unix(30_000) })],
  ];

  it.each(NO_HINT)("%s: the longest wait, at the largest random value", async (_, answer) => {
    vi.spyOn(Math, "random").mockReturnValue(0.999_999_999);
    const { waits: drawn } = await waits(answer, { maxRetries: 4 });
    // Timers leave fractions of a millisecond off.
    expect(drawn).toEqual([499, 999, 1_999, 3_999]);
  });

  it("there is no wait at the smallest random value", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0);
    expect((await waits(limited({}), { maxRetries: 3 })).waits).toEqual([0, 0, 0]);
  });

  it("the wait is half as long at a random value in the middle", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0.5);
    expect((await waits(limited({}), { maxRetries: 3 })).waits).toEqual([250, 500, 1_000]);
  });

  it("maxRetryDelayMs bounds it", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0.999_999_999);
    const { waits: drawn } = await waits(down({}), { maxRetries: 4, maxRetryDelayMs: 700 });
    expect(drawn).toEqual([499, 699, 699, 699]);
  });
});

describe("maxRetryDelayMs", () => {
  it("a wait exactly that long is made", async () => {
    expect((await waits(limited({ "retry-after": "60" }))).waits).toEqual([60_000]);
    expect((await waits(limited({ "retry-after": "3" }), { maxRetryDelayMs: 3_000 })).waits).toEqual([3_000]);
  });

  it.each([
    ["a second more", limited({ "retry-after": "61" }), 61_000],
    ["an hour", limited({ "retry-after": "3600" }), 3_600_000],
    ["a date of tomorrow", limited({ "retry-after": date(86_400_000) }), 86_400_000],
    ["a reset in an hour", limited({ "x-ratelimit-reset": unix(3_600_000) }), 3_600_000],
    ["longer than time itself", limited({ "retry-after": "9".repeat(400) }), Number.POSITIVE_INFINITY],
  ])("a Retry-After of %s is thrown at once, not slept", async (_, answer, retryAfterMs) => {
    const { error, attempts } = await waits(answer);
    expect(error).toMatchObject({ name: "RateLimitedError", retryAfterMs, attempts: 1, retryable: true });
    expect(attempts).toBe(1);
    expect(Date.now()).toBe(NOW);
  });

  it("a Retry-After on a 503 is heeded", async () => {
    const { error } = await waits(down({ "retry-after": "61" }));
    expect(error).toMatchObject({ name: "ServerError", status: 503, attempts: 1 });
    expect(Date.now()).toBe(NOW);
  });

  it("a fraction of a second is rounded up to a millisecond", async () => {
    expect((await waits(limited({ "retry-after": "1.5" }), { maxRetryDelayMs: 1_500 })).attempts).toBe(2);
    expect((await waits(limited({ "retry-after": "1.501" }), { maxRetryDelayMs: 1_500 })).attempts).toBe(1);
  });
});

describe("retryAfterMs of a RateLimitedError", () => {
  it.each<[string, Record<string, string>, number | undefined]>([
    ["Retry-After", { "retry-after": "7" }, 7_000],
    ["X-RateLimit-Reset", { "x-ratelimit-reset": unix(4_000) }, 4_000],
    ["no hint", {}, undefined],
  ])("%s", async (_, headers, expected) => {
    const { error } = await waits(limited(headers), { maxRetries: 0 });
    expect(error).toMatchObject({ name: "RateLimitedError", retryAfterMs: expected });
  });
});

describe("a deadline that is nearer than the wait", () => {
  it("throws the failure at once", async () => {
    const { error, attempts } = await waits(limited({ "retry-after": "5" }), {}, { deadlineMs: 5_000 });
    expect(error).toMatchObject({ name: "RateLimitedError", retryAfterMs: 5_000, attempts: 1 });
    expect(attempts).toBe(1);
    expect(Date.now()).toBe(NOW);
  });

  it("a wait that ends before the deadline is made", async () => {
    expect((await waits(limited({ "retry-after": "5" }), {}, { deadlineMs: 5_001 })).attempts).toBe(2);
  });
});
