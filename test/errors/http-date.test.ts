/** The dates in HTTP headers, and the wait times that follow from them. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

const MOMENT = Date.UTC(1994, 10, 6, 8, 49, 37);
const FORMS = ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"];

let { parseHttpDate } = await import("../../src/errors/http-date.js");
let { readRateLimitReset, readRetryAfter } = await import("../../src/errors/retry-after.js");
/**
 * The module is loaded again for each time zone, because values that it computes while loading may depend on the zone.
 */
async function loadAnew(): Promise<void> {
  vi.resetModules();
  ({ parseHttpDate } = await import("../../src/errors/http-date.js"));
  ({ readRateLimitReset, readRetryAfter } = await import("../../src/errors/retry-after.js"));
}

describe("parseHttpDate()", () => {
  beforeEach(loadAnew);

  it("reads every month in each of the three date formats", () => {
    const months = ["Jan", "feb", "MAR", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    for (const [month, name] of months.entries()) {
      const moment = Date.UTC(2024, month, 16, 20, 5, 59);
      expect(parseHttpDate(`Wednesday, 16-${name}-24 20:05:59 GMT`)).toBe(moment);
      expect(parseHttpDate(`Wed, 16 ${name} 2024 20:05:59 UTC`)).toBe(moment);
      expect(parseHttpDate(`Wed, 16 ${name} 2024 20:05:59 +0000`)).toBe(moment);
      expect(parseHttpDate(`Wed ${name} 16 20:05:59 2024`)).toBe(moment);
      expect(parseHttpDate(`Wed, 16 ${name} 2024 24:00:00 GMT`)).toBeUndefined();
    }
  });

  it("reads a leap second as the first second of the next minute", () => {
    expect(parseHttpDate("Sat, 31 Dec 2016 23:59:60 GMT")).toBe(Date.UTC(2017, 0, 1));
  });

  it("reads a year of two digits as at most 50 years in the future", () => {
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
    "1 Sun, 06 Nov 1994 08:49:37 GMT",
    "sometime Sun, 06 Nov 1994 08:49:37 GMT",
    "Su, 06 Nov 1994 08:49:37 GMT",
    "Sun, 06/Nov/1994 08:49:37 GMT",
    "Sun, x6 Nov 1994 08:49:37 GMT",
    "xSun Nov  6 08:49:37 1994",
    "Sun Nov  6 08:49:37 1994 GMT",
    "Sun Nov  6 08:49 1994",
    "Sun Nov x6 08:49:37 1994",
    `Sun, 06 Nov 1994 08:49:37 GMT${" GMT".repeat(100_000)}`,
  ])("returns undefined for %.40s", (value) => {
    expect(parseHttpDate(value)).toBeUndefined();
  });
});

describe.each(["UTC", "Asia/Tokyo", "America/New_York"])("in the time zone %s", (zone) => {
  const before = process.env.TZ;
  beforeEach(async () => {
    process.env.TZ = zone;
    await loadAnew();
  });
  afterEach(() => {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  });

  it.each(FORMS)("parseHttpDate reads %s as GMT", (value) => {
    expect(parseHttpDate(value)).toBe(MOMENT);
  });

  it("a Retry-After and a Date in asctime format give the wait between them", () => {
    const headers = new Headers({ "retry-after": "Sun Nov  6 08:50:37 1994", date: "Sun Nov  6 08:49:37 1994" });
    expect(readRetryAfter(headers)).toBe(60_000);
  });
});

describe("a wait time", () => {
  beforeEach(async () => {
    await loadAnew();
    vi.useFakeTimers({ now: Date.UTC(2026, 0, 1, 12, 0, 0) });
  });
  afterEach(() => void vi.useRealTimers());

  it.each([-90, 0, 90, 86_400])(
    "follows from X-RateLimit-Reset and the response's Date although the local clock is %d s off",
    (offset) => {
      const now = Date.now() / 1000 + offset;
      const headers = new Headers({ "x-ratelimit-reset": `${now + 20}`, date: new Date(now * 1000).toUTCString() });
      expect(readRateLimitReset(headers)).toBe(20_000);
    },
  );

  it("follows from X-RateLimit-Reset and the local clock if there is no valid Date", () => {
    const headers = new Headers({ "x-ratelimit-reset": `${Date.now() / 1000 + 20}`, date: "today" });
    expect(readRateLimitReset(headers)).toBe(20_000);
  });

  it.each<[string, number | undefined]>([
    ["0", 0],
    ["120", 120_000],
    ["1.25", 1_250],
    ["0.0001", 1],
    ["-1", undefined],
    ["1.", undefined],
    ["1e3", undefined],
    ["soon", undefined],
  ])("for a Retry-After of %s is %s ms", (value, expected) => {
    expect(readRetryAfter(new Headers({ "retry-after": value }))).toBe(expected);
  });

  it("is undefined without a Retry-After and an X-RateLimit-Reset", () => {
    expect(readRetryAfter(new Headers())).toBeUndefined();
    expect(readRateLimitReset(new Headers())).toBeUndefined();
  });

  it("is zero if the Retry-After is in the past", () => {
    expect(readRetryAfter(new Headers({ "retry-after": FORMS[0] ?? "" }))).toBe(0);
  });
});
