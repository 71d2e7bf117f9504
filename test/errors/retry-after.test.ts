/** How long a response asks to wait: `Retry-After`, and `X-RateLimit-Reset` by the service's clock. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readRateLimitReset, readRetryAfter } from "../../src/errors/retry-after.js";

const FORMS = ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"];

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(1994, 10, 6, 8, 48, 37) }));
afterEach(() => void vi.useRealTimers());

const waitFor = (retryAfter: string) => readRetryAfter(new Headers({ "retry-after": retryAfter }));

describe.each(["UTC", "Asia/Tokyo", "America/New_York"])("in the time zone %s", (zone) => {
  beforeEach(() => void vi.stubEnv("TZ", zone));
  afterEach(() => void vi.unstubAllEnvs());

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
])("a Retry-After of %.40s is ignored", (value) => {
  expect(waitFor(value)).toBeUndefined();
});

it.each<[string, number | undefined]>([
  ["0", 0],
  ["120", 120_000],
  ["1.25", 1_250],
  ["0.0001", 1],
  ["Sun, 06 Nov 1994 08:00:00 GMT", 0],
  ["-1", undefined],
  ["1.", undefined],
  ["1e3", undefined],
])("a Retry-After of %s is a wait of %s ms", (value, expected) => {
  expect(waitFor(value)).toBe(expected);
});

it("X-RateLimit-Reset is compared with the response's Date, although the local clock may be wrong", () => {
  for (const offset of [-90, 0, 90, 86_400]) {
    const now = Date.now() / 1000 + offset;
    const headers = new Headers({ "x-ratelimit-reset": `${now + 20}`, date: new Date(now * 1000).toUTCString() });
    expect(readRateLimitReset(headers)).toBe(20_000);
  }
});

it("X-RateLimit-Reset is compared with the local clock if there is no valid Date", () => {
  const headers = new Headers({ "x-ratelimit-reset": `${Date.now() / 1000 + 20}`, date: "today" });
  expect(readRateLimitReset(headers)).toBe(20_000);
});

it("without the two headers, no wait is named", () => {
  expect(readRetryAfter(new Headers())).toBeUndefined();
  expect(readRateLimitReset(new Headers())).toBeUndefined();
});
