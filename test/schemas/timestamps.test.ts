/** The moment that a timestamp of the service means. */
import { beforeEach, describe, expect, it, vi } from "vitest";
import { isTimestamp, parseTimestamp } from "../../src/schemas/primitives.js";

const MOMENT = Date.UTC(2025, 2, 10, 3);

describe.each(["UTC", "Asia/Tokyo", "America/New_York"])("in the time zone %s", (zone) => {
  beforeEach(() => void vi.stubEnv("TZ", zone));

  it.each([
    "2025-03-10T03:00:00",
    "2025-03-10T03:00",
    "2025-03-10t03:00:00.000000",
    "2025-03-10T03:00:00,0",
    "2025-03-10 03:00:00",
    "+002025-03-10T03:00:00",
  ])("a time without an offset is read as UTC: %s", (text) => {
    expect(parseTimestamp(text)).toBe(MOMENT);
  });

  it.each([
    "2025-03-10T03:00:00Z",
    "2025-03-10t03:00:00z",
    "2025-03-10T12:00:00+09:00",
    "2025-03-10T12:00:00+0900",
    "2025-03-10T12:00:00+09",
    "2025-03-10 08:30:00 +05:30",
    "2025-03-09T23:00-04:00",
    "Mon, 10 Mar 2025 03:00:00 GMT",
  ])("a time with an offset means the same moment everywhere: %s", (text) => {
    expect(parseTimestamp(text)).toBe(MOMENT);
  });

  it("a day is read as its beginning in UTC", () => {
    expect(parseTimestamp("2025-03-10")).toBe(Date.UTC(2025, 2, 10));
  });
});

it.each(["", "soon", "2025-13-10T03:00:00", "2025-03-10T25:00:00", "2025-03-10T03:00:00+99:00", "2025-03-10T03"])(
  "%j is not a timestamp",
  (text) => {
    expect(parseTimestamp(text)).toBeNaN();
    expect(isTimestamp(text)).toBe(false);
  },
);
