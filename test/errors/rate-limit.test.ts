/** The rate limits of a response. The waits that follow from `Retry-After`: test/transport/retry-waits.test.ts. */
import { beforeEach, expect, it, vi } from "vitest";
import { readRateLimit } from "../../src/errors/rate-limit.js";
import { readRateLimitReset, readRetryAfter } from "../../src/errors/retry-after.js";

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(1994, 10, 6, 8, 48, 37) }));

it("of rate limits that were set more than once, the smallest rest and the latest reset count", () => {
  const now = Date.now() / 1_000;
  const headers = new Headers({
    "x-ratelimit-limit": "60, 100, 100;w=60",
    "x-ratelimit-remaining": "7, 0",
    "x-ratelimit-reset": `${now + 5}, ${now + 30}`,
  });
  expect(readRateLimit(headers)).toEqual({ limit: 60, remaining: 0, resetAt: new Date(1_000 * (now + 30)) });
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
  dates.set("date", "Sun, 06 Nov 1994 08:49:37 GMT,".repeat(20_000));
  expect(readRetryAfter(dates)).toBe(0);
});
