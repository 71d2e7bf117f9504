/** The doctor's report as text, line by line. */
import { describe, expect, it } from "vitest";
import { renderReport } from "../../src/doctor/render-report.js";
import type { Check, Report, Verdict } from "../../src/doctor/report.js";

const check = (id: string, verdict: Verdict, detail: string): Check => ({
  id,
  title: id,
  verdict,
  source: "documented",
  detail,
});

const CHECKS = [
  check("rooms.limit", "confirmed", "fine"),
  check("documents.format", "differs", "the service heeds another name than the one of the API specification"),
  check("rooms.ids", "undecided", "needs at least 2 rooms"),
];

const reportOf = (parts: Partial<Report>): Report => ({
  ...{ checks: CHECKS, assumptions: {}, drift: [], fields: [], requests: 5 },
  ...parts,
});

const lines = (parts: Partial<Report>) => renderReport(reportOf(parts), false).split("\n");

describe("the report's table", () => {
  it("has one line per name", () => {
    expect(lines({})).toEqual([
      "name              verdict    source      what the service showed",
      "rooms.limit       confirmed  documented  fine",
      "documents.format  differs    documented  the service heeds another name than the one of the API specification",
      "rooms.ids         undecided  documented  needs at least 2 rooms",
      "",
      "3 names: 1 confirmed, 1 differ, 1 undecided; 5 requests",
    ]);
  });
});

describe("below its table, the report", () => {
  const below = (parts: Partial<Report>) => lines({ checks: [], ...parts }).slice(1);

  it("lists every deviation from the API specification, with its place and count", () => {
    const drift = [
      { operation: "rooms.list", path: "data[].title", expected: "string", received: "null", count: 1 },
      { operation: "rooms.list", path: "", expected: "object", received: "array", count: 2 },
    ];
    expect(below({ drift })).toEqual([
      "",
      "Responses that do not match the API specification:",
      "  rooms.list data[].title: expected string, received null, once",
      "  rooms.list (all): expected object, received array, 2 times",
      "",
      "0 names: 0 confirmed, 0 differ, 0 undecided; 5 requests",
    ]);
  });

  const field = (index: number, known = false) => ({
    ...{ operation: "rooms.list", path: `data[].f${index}`, kinds: ["string", "null"], known, count: 1 },
  });
  const fields = (count: number) => Array.from({ length: count }, (_, index) => field(index));

  it("lists at most 20 unknown fields, and says how many more there are", () => {
    expect(below({ fields: [field(1), field(2, true)] })).toEqual([
      "",
      "Fields that this library does not know:",
      "  rooms.list data[].f1: string, null",
      "",
      "0 names: 0 confirmed, 0 differ, 0 undecided; 5 requests",
    ]);
    expect(below({ fields: fields(21) }).slice(-4)).toEqual([
      "  rooms.list data[].f19: string, null",
      "  and 1 more",
      "",
      "0 names: 0 confirmed, 0 differ, 0 undecided; 5 requests",
    ]);
  });

  it("prints the client option to set if a name differs", () => {
    expect(below({ assumptions: { rooms: { limit: "page_size" } } })).toEqual([
      "",
      "Pass this option to the client, new Notetaker({ … }):",
      "",
      "assumptions: {",
      "  rooms: {",
      '    limit: "page_size"',
      "  }",
      "},",
      "",
      "0 names: 0 confirmed, 0 differ, 0 undecided; 5 requests",
    ]);
  });
});
