/** Which dates are requested for a period, and which meetings are within it. */
import { describe, expect, it } from "vitest";
import { Period, periodIssues } from "../../../src/node/reading/period.js";

const noon = (day: number) => new Date(`2025-01-${String(day).padStart(2, "0")}T12:00:00.000Z`);

describe("the dates that a period requests", () => {
  it.each<[ConstructorParameters<typeof Period>[0], string | undefined, string | undefined]>([
    [{}, undefined, undefined],
    [{ since: "2025-01-10", until: "2025-01-20" }, "2025-01-10", "2025-01-20"],
    [{ since: noon(10), until: noon(20) }, "2025-01-09", "2025-01-21"],
    [{ since: new Date(-8.64e15), until: new Date(8.64e15) }, "0001-01-01", "9999-12-31"],
    [{ since: new Date("0001-01-02T00:00:00Z") }, "0001-01-01", undefined],
    [{ until: new Date("9999-12-30T00:00:00Z") }, undefined, "9999-12-31"],
  ])("for %j are %s to %s", (options, startDate, endDate) => {
    expect(new Period(options)).toMatchObject({ startDate, endDate });
  });
});

describe("a period between two moments", () => {
  const period = new Period({ since: noon(10), until: noon(20) });

  it.each([
    ["2025-01-10T11:59:59.999Z", false],
    ["2025-01-10T12:00:00.000Z", true],
    ["2025-01-20T12:00:00.000Z", true],
    ["2025-01-20T12:00:00.001Z", false],
    ["2025-01-10T13:00:00+01:00", true],
    ["soon", true],
    ["", true],
    [undefined, true],
    [1_736_000_000_000, true],
  ])("contains a meeting that started at %s: %s", (startTime, expected) => {
    expect(period.includes(startTime)).toBe(expected);
  });
});

it("a period of dates contains every meeting that the service lists, whatever its UTC time", () => {
  const period = new Period({ since: "2025-01-10", until: "2025-01-20" });
  for (const day of ["2025-01-09", "2025-01-15", "2025-01-21"]) expect(period.includes(`${day}T00:00:00Z`)).toBe(true);
});

describe("surelyIncludes", () => {
  it.each<[ConstructorParameters<typeof Period>[0], string, boolean]>([
    [{}, "2025-01-01T00:00:00Z", true],
    [{}, "soon", true],
    [{ since: "2025-01-10" }, "soon", false],
    [{ until: "2025-01-10" }, "soon", false],
    // In other time zones, a date may start up to a day later.
    [{ since: "2025-01-10" }, "2025-01-10T23:59:59.999Z", false],
    [{ since: "2025-01-10" }, "2025-01-11T00:00:00.000Z", true],
    [{ until: "2025-01-10" }, "2025-01-10T00:00:00.000Z", true],
    [{ until: "2025-01-10" }, "2025-01-10T00:00:00.001Z", false],
    [{ since: noon(10) }, "2025-01-10T11:59:59.999Z", false],
    [{ since: noon(10) }, "2025-01-10T12:00:00.000Z", true],
    [{ until: noon(10) }, "2025-01-10T12:00:00.000Z", true],
    [{ until: noon(10) }, "2025-01-10T12:00:00.001Z", false],
    [{ since: noon(10), until: noon(12) }, "2025-01-11T00:00:00.000Z", true],
  ])("with the period %j and a meeting of %s returns %s", (options, startTime, expected) => {
    expect(new Period(options).surelyIncludes(startTime)).toBe(expected);
  });
});

describe("the end of a period", () => {
  it.each<[Parameters<typeof periodIssues>[0]]>([
    [{}],
    [{ since: noon(10) }],
    [{ until: noon(10) }],
    [{ since: noon(10), until: noon(10) }],
    [{ since: "2025-01-10", until: "2025-01-10" }],
    [{ since: new Date("2025-01-10T23:59:59.999Z"), until: "2025-01-10" }],
    [{ since: "2025-01-10", until: new Date("2025-01-10T00:00:00Z") }],
  ])("is valid for %j", (options) => {
    expect(periodIssues(options)).toEqual([]);
  });

  it.each<[Parameters<typeof periodIssues>[0], string]>([
    [
      { since: new Date("2025-01-11T00:00:00Z"), until: "2025-01-10" },
      "expected 2025-01-11T00:00:00.000Z (since) or later, received 2025-01-10",
    ],
    [
      { since: "2025-01-10", until: new Date("2025-01-09T23:59:59.999Z") },
      "expected 2025-01-10 (since) or later, received 2025-01-09T23:59:59.999Z",
    ],
    [{ since: "2025-01-10", until: "2025-01-09" }, "expected 2025-01-10 (since) or later, received 2025-01-09"],
  ])("is refused if it comes before the start: %j", (options, message) => {
    expect(periodIssues(options)).toEqual([{ path: "until", message }]);
  });
});
