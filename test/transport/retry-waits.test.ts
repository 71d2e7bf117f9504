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

const refusing =
  (status: number, headers: Record<string, string>, code = "some_code") =>
  () =>
    refusal(status, code, headers);
const limited = (headers: Record<string, string>) => refusing(429, headers, "rate_limited");
const retryAfter = (value: string) => limited({ "retry-after": value });
const resetIn = (ms: number, headers: object = {}) => limited({ "x-ratelimit-reset": unix(ms), ...headers });
const date = (ms: number) => new Date(NOW + ms).toUTCString();
const unix = (ms: number) => String((NOW + ms) / 1000);
/** The two older forms of an HTTP date, a minute from now. */
const RFC_850 = "Sunday, 01-Mar-26 12:01:00 GMT";
const ASCTIME = "Sun Mar  1 12:01:00 2026";

describe.each(["UTC", "Asia/Tokyo", "America/New_York"])("the wait before a retry, in the time zone %s,", (zone) => {
  beforeEach(() => void vi.stubEnv("TZ", zone));

  it.each([date(60_000), RFC_850, ASCTIME])("follows any form of an HTTP date: %s", async (form) => {
    expect((await waits(retryAfter(form))).waits).toEqual([60_000]);
  });
});

describe("the wait before a retry is exactly what the service requests by", () => {
  it.each<[string, () => Response, number]>([
    ["a Retry-After in seconds", retryAfter("7"), 7_000],
    ["a Retry-After of 0", retryAfter("0"), 0],
    ["a Retry-After with a fraction", retryAfter("1.25"), 1_250],
    ["a Retry-After between spaces", retryAfter(" 3 "), 3_000],
    ["a Retry-After as a date in the past", retryAfter(date(-9_000)), 0],
    ["a date by the service's clock", limited({ "retry-after": date(3_609_000), date: date(3_600_000) }), 9_000],
    ["an old date by a service's clock", limited({ "retry-after": ASCTIME, date: "Sun Mar  1 12:00:51 2026" }), 9_000],
    ["a date by the earlier clock", limited({ "retry-after": date(9_000), date: `${date(5_000)}, ${date(0)}` }), 9_000],
    ["the longest of several Retry-After", retryAfter("soon, 2 ,30,1"), 30_000],
    ["the longest of a number and a date", retryAfter(`5, ${date(20_000)}, ${RFC_850}`), 60_000],
    ["the longest of two dates", retryAfter(`${date(20_000)},${ASCTIME}`), 60_000],
    ["an X-RateLimit-Reset", resetIn(4_000), 4_000],
    ["the latest of several resets", limited({ "x-ratelimit-reset": `${unix(5_000)}, ${unix(9_000)}` }), 9_000],
    ["a reset by the service's clock", resetIn(99_000, { date: date(90_000) }), 9_000],
    ["a reset without a valid Date", resetIn(4_000, { date: "today" }), 4_000],
    ["an X-RateLimit-Reset in the past", resetIn(-4_000), 0],
    ["a Retry-After before a reset", resetIn(30_000, { "retry-after": "2" }), 2_000],
    ["a reset if Retry-After is invalid", resetIn(9_000, { "retry-after": "soon" }), 9_000],
    ["a Retry-After on a 503", refusing(503, { "retry-after": "5" }), 5_000],
    ["a Retry-After on a 500", refusing(500, { "retry-after": "5" }), 5_000],
    ["a Retry-After on a 503 as a date", refusing(503, { "retry-after": date(6_000) }), 6_000],
    ["a Retry-After on a 429 with another code", refusing(429, { "retry-after": "5" }, "forbidden"), 5_000],
    ["a reset on a 429 with another code", refusing(429, { "x-ratelimit-reset": unix(4_000) }, "forbidden"), 4_000],
    ["a reset on a 429 with issues", () => json({ detail: [] }, 429, { "x-ratelimit-reset": unix(4_000) }), 4_000],
    ["a Retry-After with the code of a 429", refusing(400, { "retry-after": "5" }, "rate_limited"), 5_000],
  ])("%s", async (_, answer, expected) => {
    expect((await waits(answer)).waits).toEqual([expected]);
  });
});

describe("the random wait before a retry without a Retry-After", () => {
  const INVALID = [
    ...["soon", "-5", "", "0x10", "5 minutes", "1.", "1e3", "2026-03-01T12:01:00Z"],
    ...["Sun, 00 Mar 2026 12:01:00 GMT", "Sun, 01 Mrz 2026 12:01:00 GMT", "Sun, 01 Mar 2026 24:00:00 GMT"],
    ...["Sun, 01 Mar 2026 12:60:00 GMT", "Sun, 01 Mar 2026 12:01:60 GMT", "Sun, 01 Mar 2026 12:01:00 EST"],
    ...["Sun, 01 Mar 2026 12:01:00", "1 Sun, 01 Mar 2026 12:01:00 GMT", `${ASCTIME} EST`, "Sun Mar  1 12:01 2026"],
    `Sun, 01 Mar 2026 12:01:00 GMT${" GMT".repeat(100_000)}`,
  ];
  it.each<[string, () => Response]>([
    ["a 429", limited({})],
    ["a 500", refusing(500, {})],
    ...INVALID.map((value): [string, () => Response] => [`the Retry-After ${value.slice(0, 40)}`, retryAfter(value)]),
    ["an X-RateLimit-Reset that is not a number", limited({ "x-ratelimit-reset": "soon" })],
    ["an X-RateLimit-Reset on a 503, where it is ignored", refusing(503, { "x-ratelimit-reset": unix(30_000) })],
  ])("is up to 0.5, 1, 2, then 4 s after %s", async (_, answer) => {
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
    const { waits: drawn } = await waits(refusing(503, {}), { maxRetries: 4, maxRetryDelayMs: 700 });
    expect(drawn).toEqual([499, 699, 699, 699]);
  });
});

describe("maxRetryDelayMs", () => {
  it("allows a requested wait of exactly its value, which is rounded up to a millisecond", async () => {
    expect((await waits(retryAfter("60"))).waits).toEqual([60_000]);
    expect((await waits(retryAfter("1.5"), { maxRetryDelayMs: 1_500 })).waits).toEqual([1_500]);
    expect((await waits(retryAfter("1.5001"), { maxRetryDelayMs: 1_500 })).attempts).toBe(1);
  });

  const YEAR = 3e10;
  it.each([
    ["61 s", retryAfter("61"), 61_000],
    ["a date tomorrow", retryAfter(date(86_400_000)), 86_400_000],
    ["a reset in an hour", resetIn(3_600_000), 3_600_000],
    ["29,999,999.5 s", retryAfter("29999999.5"), YEAR - 500],
    ["a number with 400 digits, which counts as about a year", retryAfter("9".repeat(400)), YEAR],
    ["the longest of several", retryAfter("9, 1e9, 99999999999"), YEAR],
    ["the last date", retryAfter("Fri, 31 Dec 9999 23:59:59 GMT"), YEAR],
    ["a reset in the far future", limited({ "x-ratelimit-reset": "9".repeat(12) }), YEAR],
  ])("makes a 429 with a longer Retry-After reject at once: %s", async (_, answer, retryAfterMs) => {
    const { error, attempts } = await waits(answer);
    expect(error).toMatchObject({ name: "RateLimitedError", retryAfterMs, attempts: 1, retryable: true });
    expect(attempts).toBe(1);
    expect(Date.now()).toBe(NOW);
  });

  it("makes a 503 with a longer Retry-After reject at once, too", async () => {
    const { error } = await waits(refusing(503, { "retry-after": "61" }));
    expect(error).toMatchObject({ name: "ServerError", status: 503, attempts: 1 });
    expect(Date.now()).toBe(NOW);
  });
});

it("the retryAfterMs of a RateLimitedError is undefined if the service names no wait", async () => {
  const { error } = await waits(limited({}), { maxRetries: 0 });
  expect(error).toMatchObject({ name: "RateLimitedError", retryAfterMs: undefined });
});

describe("a deadline before the end of a wait", () => {
  it("makes the call reject at once with the failure", async () => {
    const { error, attempts } = await waits(retryAfter("5"), {}, { deadlineMs: 5_000 });
    expect(error).toMatchObject({ name: "RateLimitedError", retryAfterMs: 5_000, attempts: 1 });
    expect(attempts).toBe(1);
    expect(Date.now()).toBe(NOW);
  });

  it("does not prevent a wait that ends before it", async () => {
    expect((await waits(retryAfter("5"), {}, { deadlineMs: 5_001 })).attempts).toBe(2);
  });
});
