/** The waits between two attempts. */
import { type ClientOptions, NotetakerError, type RequestOptions } from "notetaker-sdk";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { clientOf, json, refusal, rejectionOf } from "../support/recorder.js";

const NOW = Date.parse("2026-03-01T12:00:00Z");
beforeEach(() => void vi.useFakeTimers({ now: NOW }));

/** The waits before each attempt except the first, and the error of the call if it failed. */
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

describe("the wait before a retry is exactly what the service requests by", () => {
  it.each<[string, () => Response, number]>([
    ["a Retry-After in seconds", limited({ "retry-after": "7" }), 7_000],
    ["a Retry-After of 0", limited({ "retry-after": "0" }), 0],
    ["a Retry-After with a fraction", limited({ "retry-after": "1.5" }), 1_500],
    ["a Retry-After between spaces", limited({ "retry-after": " 3 " }), 3_000],
    ["a Retry-After as a date", limited({ "retry-after": date(9_000) }), 9_000],
    ["a Retry-After as a date in the past", limited({ "retry-after": date(-9_000) }), 0],
    ["a date by the service's clock", limited({ "retry-after": date(3_609_000), date: date(3_600_000) }), 9_000],
    ["an X-RateLimit-Reset", limited({ "x-ratelimit-reset": unix(4_000) }), 4_000],
    ["a reset by the service's clock", limited({ "x-ratelimit-reset": unix(99_000), date: date(90_000) }), 9_000],
    ["a reset without a valid Date", limited({ "x-ratelimit-reset": unix(4_000), date: "today" }), 4_000],
    ["an X-RateLimit-Reset in the past", limited({ "x-ratelimit-reset": unix(-4_000) }), 0],
    ["a Retry-After before a reset", limited({ "retry-after": "2", "x-ratelimit-reset": unix(30_000) }), 2_000],
    ["a reset if Retry-After is invalid", limited({ "retry-after": "soon", "x-ratelimit-reset": unix(9_000) }), 9_000],
    ["a Retry-After on a 503", down({ "retry-after": "5" }), 5_000],
    ["a Retry-After on a 500", down({ "retry-after": "5" }, 500), 5_000],
    ["a Retry-After on a 503 as a date", down({ "retry-after": date(6_000) }), 6_000],
    ["a Retry-After on a 429 with another code", () => refusal(429, "forbidden", { "retry-after": "5" }), 5_000],
    [
      "a reset on a 429 with another code",
      () => refusal(429, "forbidden", { "x-ratelimit-reset": unix(4_000) }),
      4_000,
    ],
    ["a reset on a 429 with issues", () => json({ detail: [] }, 429, { "x-ratelimit-reset": unix(4_000) }), 4_000],
    ["a Retry-After with the code of a 429", () => refusal(400, "rate_limited", { "retry-after": "5" }), 5_000],
  ])("%s", async (_, answer, expected) => {
    expect((await waits(answer)).waits).toEqual([expected]);
  });
});

describe("the random wait before a retry without a Retry-After", () => {
  const NO_HINT: [string, () => Response][] = [
    ["a 429", limited({})],
    ["a 500", down({}, 500)],
    ["a Retry-After that is not a number", limited({ "retry-after": "soon" })],
    ["a negative Retry-After", limited({ "retry-after": "-5" })],
    ["an empty Retry-After", limited({ "retry-after": "" })],
    ["a Retry-After in hexadecimal", limited({ "retry-after": "0x10" })],
    ["a Retry-After with text after the number", limited({ "retry-after": "5 minutes" })],
    ["an X-RateLimit-Reset that is not a number", limited({ "x-ratelimit-reset": "soon" })],
    ["an X-RateLimit-Reset on a 503, where it is ignored", down({ "x-ratelimit-reset": unix(30_000) })],
  ];

  it.each(NO_HINT)("is up to 0.5, 1, 2, then 4 s after %s", async (_, answer) => {
    vi.spyOn(Math, "random").mockReturnValue(0.999_999_999);
    const { waits: drawn } = await waits(answer, { maxRetries: 4 });
    // Timers drop fractions of a millisecond.
    expect(drawn).toEqual([499, 999, 1_999, 3_999]);
  });

  it.each([
    [0, [0, 0, 0]],
    [0.5, [250, 500, 1_000]],
  ])("is that part of its maximum at a random value of %d", async (random, drawn) => {
    vi.spyOn(Math, "random").mockReturnValue(random);
    expect((await waits(limited({}), { maxRetries: 3 })).waits).toEqual(drawn);
  });

  it("is at most maxRetryDelayMs", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0.999_999_999);
    const { waits: drawn } = await waits(down({}), { maxRetries: 4, maxRetryDelayMs: 700 });
    expect(drawn).toEqual([499, 699, 699, 699]);
  });
});

describe("maxRetryDelayMs", () => {
  it("allows a requested wait of exactly its value", async () => {
    expect((await waits(limited({ "retry-after": "60" }))).waits).toEqual([60_000]);
    expect((await waits(limited({ "retry-after": "3" }), { maxRetryDelayMs: 3_000 })).waits).toEqual([3_000]);
  });

  it.each([
    ["61 s", limited({ "retry-after": "61" }), 61_000],
    ["an hour", limited({ "retry-after": "3600" }), 3_600_000],
    ["a date tomorrow", limited({ "retry-after": date(86_400_000) }), 86_400_000],
    ["a reset in an hour", limited({ "x-ratelimit-reset": unix(3_600_000) }), 3_600_000],
    ["a number with 400 digits, which counts as about a year", limited({ "retry-after": "9".repeat(400) }), 3e10],
  ])("makes a 429 with a longer Retry-After reject at once: %s", async (_, answer, retryAfterMs) => {
    const { error, attempts } = await waits(answer);
    expect(error).toMatchObject({ name: "RateLimitedError", retryAfterMs, attempts: 1, retryable: true });
    expect(attempts).toBe(1);
    expect(Date.now()).toBe(NOW);
  });

  it("makes a 503 with a longer Retry-After reject at once, too", async () => {
    const { error } = await waits(down({ "retry-after": "61" }));
    expect(error).toMatchObject({ name: "ServerError", status: 503, attempts: 1 });
    expect(Date.now()).toBe(NOW);
  });

  it("is compared with a Retry-After that is rounded up to a millisecond", async () => {
    expect((await waits(limited({ "retry-after": "1.5" }), { maxRetryDelayMs: 1_500 })).attempts).toBe(2);
    expect((await waits(limited({ "retry-after": "1.5001" }), { maxRetryDelayMs: 1_500 })).attempts).toBe(1);
  });
});

describe("the retryAfterMs of a RateLimitedError", () => {
  it.each<[string, Record<string, string>, number | undefined]>([
    ["is the Retry-After", { "retry-after": "7" }, 7_000],
    ["is the time until X-RateLimit-Reset", { "x-ratelimit-reset": unix(4_000) }, 4_000],
    ["is undefined without these headers", {}, undefined],
  ])("%s", async (_, headers, expected) => {
    const { error } = await waits(limited(headers), { maxRetries: 0 });
    expect(error).toMatchObject({ name: "RateLimitedError", retryAfterMs: expected });
  });
});

describe("a deadline before the end of a wait", () => {
  it("makes the call reject at once with the failure", async () => {
    const { error, attempts } = await waits(limited({ "retry-after": "5" }), {}, { deadlineMs: 5_000 });
    expect(error).toMatchObject({ name: "RateLimitedError", retryAfterMs: 5_000, attempts: 1 });
    expect(attempts).toBe(1);
    expect(Date.now()).toBe(NOW);
  });

  it("does not prevent a wait that ends before it", async () => {
    expect((await waits(limited({ "retry-after": "5" }), {}, { deadlineMs: 5_001 })).attempts).toBe(2);
  });
});
