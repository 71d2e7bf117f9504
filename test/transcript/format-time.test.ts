import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatTime } from "../../src/transcript/index.js";

describe("formatTime()", () => {
  it.each([
    [0, "00:00:00"],
    [4.999, "00:00:04"],
    [4.9996, "00:00:05"],
    [3723, "01:02:03"],
    [359_999, "99:59:59"],
    [360_000, "100:00:00"],
    [3_600_000_000, "1000000:00:00"],
    [-4, "-00:00:04"],
    [-0.0001, "00:00:00"],
  ])("formats %f seconds as %s", (seconds, expected) => {
    expect(formatTime(seconds)).toBe(expected);
  });

  it("accepts every finite number", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (seconds) => {
        expect(formatTime(seconds)).toMatch(/^-?\d{2,}:[0-5]\d:[0-5]\d$/);
      }),
    );
    expect(formatTime(Number.MAX_VALUE)).toMatch(/^\d{300,}:\d\d:\d\d$/);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, "4", null, undefined])("rejects %j, and names it", (seconds) => {
    expect(() => formatTime(seconds as number)).toThrow(/^seconds: expected a finite number, received/);
  });
});
