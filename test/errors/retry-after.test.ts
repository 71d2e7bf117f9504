/** The forms of a `Retry-After` header. The waits that follow from it: test/transport/retry-waits.test.ts. */
import { beforeEach, describe, expect, it, vi } from "vitest";
import { readRateLimit } from "../../src/errors/rate-limit.js";
import { readRateLimitReset, readRetryAfter } from "../../src/errors/retry-after.js";

const FORMS = ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"];

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(1994, 10, 6, 8, 48, 37) }));

const waitFor = (retryAfter: string) => readRetryAfter(new Headers({ "retry-after": retryAfter }));

describe.each(["UTC", "Asia/Tokyo", "America/New_York"])("in the time zone %s", (zone) => {
  beforeEach(() => void vi.stubEnv("TZ", zone));

  it("a Retry-After in any of the three forms of an HTTP date is read as GMT", () => {
    for (const form of FORMS) expect(waitFor(form), form).toBe(60_000);
  });
});

it("a Retry-After that is an HTTP date is compared with the response's Date, by the service's clock", () => {
  const headers = new Headers({ "retry-after": "Sun Nov  6 08:50:37 1994", date: "Sun Nov  6 08:49:37 1994" });
  expect(readRetryAfter(headers)).toBe(60_000);
});

it.each([
  "soon",
  "1.",
  "1e3",
  "1994-11-06T08:49:37Z",
  "Sun, 00 Nov 1994 08:49:37 GMT",
  "Sun, 06 Nix 1994 08:49:37 GMT",
  "Sun, 06 Nov 1994 24:00:00 GMT",
  "Sun, 06 Nov 1994 08:60:00 GMT",
  "Sun, 06 Nov 1994 08:49:60 GMT",
  "Sun, 06 Nov 1994 08:49:37 EST",
  "Sun, 06 Nov 1994 08:49:37",
  "1 Sun, 06 Nov 1994 08:49:37 GMT",
  "Sun Nov  6 08:49:37 1994 EST",
  "Sun Nov  6 08:49 1994",
  `Sun, 06 Nov 1994 08:49:37 GMT${" GMT".repeat(100_000)}`,
])("a Retry-After that is neither seconds nor an HTTP date is ignored: %#", (value) => {
  expect(waitFor(value)).toBeUndefined();
});

it.each([
  ["1, 1", 1_000],
  ["2,30", 30_000],
  ["soon, 5 ,1", 5_000],
  ["5, Sun, 06 Nov 1994 08:49:37 GMT", 60_000],
  ["Sunday, 06-Nov-94 08:49:37 GMT, 61", 61_000],
  ["Sun, 06 Nov 1994 08:48:57 GMT,Sun Nov  6 08:49:37 1994", 60_000],
])("of a Retry-After that was set more than once, the longest wait counts: %s", (value, expected) => {
  expect(waitFor(value)).toBe(expected);
});

it("a wait of more than about a year counts as about a year", () => {
  const year = 3e10;
  for (const value of ["30000001", "9".repeat(400), "9, 1e9, 99999999999", "Fri, 31 Dec 9999 23:59:59 GMT"]) {
    expect(waitFor(value), value).toBe(year);
  }
  expect(waitFor("30000000")).toBe(year);
  expect(waitFor("29999999.5")).toBe(year - 500);
  expect(waitFor("1.25")).toBe(1_250);
  expect(readRateLimitReset(new Headers({ "x-ratelimit-reset": "9".repeat(12) }))).toBe(year);
});

it("a date is compared with the earliest Date of a response that has several", () => {
  const headers = new Headers({ "retry-after": "Sun, 06 Nov 1994 08:50:37 GMT" });
  headers.append("date", "Sun, 06 Nov 1994 08:50:00 GMT");
  headers.append("date", "Sun, 06 Nov 1994 08:49:37 GMT");
  expect(readRetryAfter(headers)).toBe(60_000);
});

it("of rate limits that were set more than once, the smallest rest and the latest reset count", () => {
  const now = Date.now() / 1_000;
  const headers = new Headers({
    "x-ratelimit-limit": "60, 100, 100;w=60",
    "x-ratelimit-remaining": "7, 0",
    "x-ratelimit-reset": `${now + 5}, ${now + 30}`,
  });
  expect(readRateLimit(headers)).toEqual({ limit: 60, remaining: 0, resetAt: new Date(1_000 * (now + 30)) });
  expect(readRateLimitReset(headers)).toBe(30_000);
});

it.each([
  ["values", ["2", "3"].join(",").concat(",1".repeat(200_000))],
  ["spaces", `2,${" ".repeat(200_000)}3`],
])("headers with very many %s are read in linear time, without a RangeError", (_, value) => {
  const names = ["date", "retry-after", "x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"];
  const headers = new Headers(names.map((name): [string, string] => [name, value]));
  expect(readRetryAfter(headers)).toBe(3_000);
  expect(readRateLimitReset(headers)).toBe(0);
  expect(readRateLimit(headers)).toMatchObject({ resetAt: new Date(3_000) });
  const dates = new Headers({ "retry-after": "Sun, 06 Nov 1994 08:49:37 GMT" });
  dates.set("date", `${FORMS[0]},`.repeat(20_000));
  expect(readRetryAfter(dates)).toBe(0);
});
