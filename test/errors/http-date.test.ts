/** Dates of HTTP headers, and the waits that are read from them. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { parseHttpDate } from "../../src/errors/http-date.js";
import { readRateLimitReset, readRetryAfter } from "../../src/errors/retry-after.js";

const MOMENT = Date.UTC(1994, 10, 6, 8, 49, 37);
const FORMS = ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"];

describe.each(["UTC", "Asia/Tokyo", "America/New_York"])("in the time zone %s", (zone) => {
  const before = process.env.TZ;
  beforeEach(() => {
    process.env.TZ = zone;
  });
  afterEach(() => {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  });

  it.each(FORMS)("%s is GMT", (value) => {
    expect(parseHttpDate(value)).toBe(MOMENT);
  });

  it("a Retry-After and a Date in asctime form give the wait between them", () => {
    const headers = new Headers({ "retry-after": "Sun Nov  6 08:50:37 1994", date: "Sun Nov  6 08:49:37 1994" });
    expect(readRetryAfter(headers)).toBe(60_000);
  });
});

describe("parseHttpDate", () => {
  it("reads a leap second as the first second of the next minute", () => {
    expect(parseHttpDate("Sat, 31 Dec 2016 23:59:60 GMT")).toBe(Date.UTC(2017, 0, 1));
  });

  it("reads years of two digits as at most 50 years ahead", () => {
    const year = new Date().getUTCFullYear();
    const digits = (offset: number) => String((year + offset) % 100).padStart(2, "0");
    const yearOf = (offset: number) =>
      new Date(parseHttpDate(`Monday, 01-Jan-${digits(offset)} 00:00:00 GMT`) ?? 0).getUTCFullYear();
    expect(yearOf(50)).toBe(year + 50 - ((year + 50) % 100 < year % 100 ? 100 : 0));
    expect(yearOf(-1)).toBe(year - 1);
    expect(yearOf(-40)).toBe(year - 40);
  });

  it.each([
    null,
    "",
    "soon",
    "1994-11-06T08:49:37Z",
    "Sun, 31 Feb 1994 08:49:37 GMT",
    "Sun, 00 Nov 1994 08:49:37 GMT",
    "Sun, 06 Nix 1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 24:00:00 GMT",
    "Sun, 06 Nov 1994 08:60:00 GMT",
    "Sun, 06 Nov 1994 08:49:61 GMT",
    "Sun, 06 Nov 1994 08:49:37 EST",
    `Sun, 06 Nov 1994 08:49:37 GMT${" GMT".repeat(100_000)}`,
  ])("is undefined for %.40s", (value) => {
    expect(parseHttpDate(value)).toBeUndefined();
  });
});

describe("the service's clock", () => {
  beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2026, 0, 1, 12, 0, 0) }));
  afterEach(() => void vi.useRealTimers());

  it.each([-90, 0, 90, 86_400])("X-RateLimit-Reset counts from the answer's Date: this clock is %d s off", (offset) => {
    const now = Date.now() / 1000 + offset;
    const headers = new Headers({ "x-ratelimit-reset": `${now + 20}`, date: new Date(now * 1000).toUTCString() });
    expect(readRateLimitReset(headers)).toBe(20_000);
  });

  it("X-RateLimit-Reset counts from this clock without a readable Date", () => {
    const headers = new Headers({ "x-ratelimit-reset": `${Date.now() / 1000 + 20}`, date: "today" });
    expect(readRateLimitReset(headers)).toBe(20_000);
  });

  it("a Retry-After in the past means no wait", () => {
    expect(readRetryAfter(new Headers({ "retry-after": FORMS[0] ?? "" }))).toBe(0);
  });
});
