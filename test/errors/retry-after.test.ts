/** The forms of a `Retry-After` header. The waits that follow from it: test/transport/retry-waits.test.ts. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readRetryAfter } from "../../src/errors/retry-after.js";

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
])("a Retry-After of %.40s is ignored", (value) => {
  expect(waitFor(value)).toBeUndefined();
});
