/** The forms of a `Retry-After` header. The waits that follow from it: test/transport/retry-waits.test.ts. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { readRetryAfter } from "../../src/errors/retry-after.js";

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(1994, 10, 6, 8, 48, 37) }));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

const waitFor = (retryAfter: string) => readRetryAfter(new Headers({ "retry-after": retryAfter }));

it.each(["UTC", "Asia/Tokyo", "America/New_York"])("a Retry-After that is a date is read as GMT in %s", (zone) => {
  vi.stubEnv("TZ", zone);
  expect(waitFor("Sun, 06 Nov 1994 08:49:37 GMT")).toBe(60_000);
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
  `Sun, 06 Nov 1994 08:49:37 GMT${" GMT".repeat(100_000)}`,
])("a Retry-After of %.40s is ignored", (value) => {
  expect(waitFor(value)).toBeUndefined();
});

it("a Retry-After that is a date is compared with the response's Date, by the service's clock", () => {
  const headers = { "retry-after": "Sun, 06 Nov 1994 08:50:37 GMT", date: "Sun, 06 Nov 1994 08:49:37 GMT" };
  expect(readRetryAfter(new Headers(headers))).toBe(60_000);
});
