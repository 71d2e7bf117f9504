/**
 * Which places of a response break the API specification, and which fields the response has: types and paths, never
 * content.
 */
import { describe, expect, it } from "vitest";
import { DriftLog, type ReadOperation } from "../../src/doctor/drift-log.js";
import * as samples from "../support/samples.js";

function logOf(operation: ReadOperation, ...bodies: unknown[]): DriftLog {
  const log = new DriftLog();
  for (const body of bodies) log.read(operation, body);
  return log;
}

/** Each place that breaks the API specification: `path: expected, received, count`. */
const driftOf = (operation: ReadOperation, ...bodies: unknown[]) =>
  logOf(operation, ...bodies).drift.map(
    ({ path, expected, received, count }) => `${path}: ${expected}, ${received}, ${count}`,
  );

const unknownOf = (operation: ReadOperation, ...bodies: unknown[]) =>
  logOf(operation, ...bodies).fields.filter(({ known }) => !known);

describe("the drift log", () => {
  it.each<[ReadOperation, unknown]>([
    [
      "rooms.list",
      samples.page([{ ...samples.room, meetings: [samples.meetingSummary], documents: [samples.documentReference] }]),
    ],
    ["rooms.list", { data: [], has_more: false }],
    ["meetings.list", samples.page([{ ...samples.meeting, documents: [samples.documentReference] }], "c")],
    ["permissions.list", samples.permissionPage],
    ["documents.get", samples.document],
  ])("is empty after a response to %s that matches the API specification", (operation, body) => {
    expect(driftOf(operation, body)).toEqual([]);
    expect(unknownOf(operation, body)).toEqual([]);
  });
});

describe("an entry of the drift log", () => {
  const kinds: [unknown, string][] = [
    [undefined, "missing"],
    [null, "null"],
    [[], "array"],
    [{}, "object"],
    [true, "boolean"],
    [5, "number"],
  ];

  it.each(kinds)("names the type of a wrong value: %j is %s", (id, kind) => {
    expect(driftOf("rooms.list", samples.page([{ ...samples.room, id }]))[0]).toMatch(
      new RegExp(`^data\\[\\]\\.id: .+, ${kind}, 1$`),
    );
  });

  it.each<[string, ReadOperation, unknown, string[]]>([
    ["a body that is not an object", "rooms.list", "text", [": object, string, 1"]],
    ["a page without its fields", "rooms.list", {}, ["has_more: boolean, missing, 1", "data: array, missing, 1"]],
    ["a row that is not an object", "rooms.list", samples.page([5]), ["data[]: object, number, 1"]],
    ["a page of permissions without its link", "permissions.list", samples.page([]), ["share_url: string, missing, 1"]],
    [
      "a document with a wrong field",
      "documents.get",
      { ...samples.document, content: null },
      ["content: string, null, 1"],
    ],
    [
      "an invalid timestamp",
      "meetings.list",
      samples.page([{ ...samples.meeting, start_time: "soon" }]),
      ["data[].start_time: an ISO 8601 timestamp, string, 1"],
    ],
    [
      "a wrong participant and a wrong document of a meeting",
      "meetings.list",
      samples.page([{ ...samples.meeting, participants: [{ name: 5 }, null], documents: [{ id: "x" }] }]),
      [
        "data[].participants[].name: string, number, 1",
        "data[].participants[]: object, null, 1",
        "data[].documents[].id: an id of the form doc_…, string, 1",
      ],
    ],
    [
      "a room whose meetings are not an array",
      "rooms.list",
      samples.page([{ ...samples.room, meetings: "none", documents: [null] }]),
      ["data[].meetings: array, string, 1", "data[].documents[]: object, null, 1"],
    ],
    [
      "a wrong field of a nested object",
      "meetings.list",
      samples.page([{ ...samples.meeting, host: { id: "usr_1", name: 5, email: null } }]),
      ["data[].host.name: string, number, 1"],
    ],
  ])("describes %s", (_, operation, body, drift) => {
    expect(driftOf(operation, body)).toEqual(drift);
  });

  it("states the expectation in the API specification's words", () => {
    const log = logOf("rooms.list", samples.page([{ ...samples.room, meeting_count: 1.5 }]));
    expect(log.drift).toEqual([
      { operation: "rooms.list", path: "data[].meeting_count", expected: "an integer", received: "number", count: 1 },
    ]);
  });

  it("counts all deviations of one place, type and expectation together", () => {
    const page = samples.page([
      { ...samples.room, title: null },
      { ...samples.room, title: null },
      { ...samples.room, title: 5 },
    ]);
    expect(driftOf("rooms.list", page, page)).toEqual([
      "data[].title: string, null, 4",
      "data[].title: string, number, 2",
    ]);
    const log = logOf("rooms.list", samples.page([{ ...samples.room, title: null }]));
    log.read("meetings.list", samples.page([{ ...samples.meeting, title: 5 }]));
    expect(log.drift.map(({ operation }) => operation)).toEqual(["rooms.list", "meetings.list"]);
  });
});

describe("the field list of a drift log", () => {
  it("has each field with its types and a count, whether known or unknown", () => {
    const rows = [
      { ...samples.room, owner: "a" },
      { ...samples.room, owner: null },
      { ...samples.room, owner: "b" },
    ];
    const log = logOf("rooms.list", samples.page(rows));
    const field = (path: string) => log.fields.find((one) => one.path === path);
    expect(field("data[].owner")).toEqual({
      ...{ operation: "rooms.list", path: "data[].owner", kinds: ["string", "null"], known: false, count: 3 },
    });
    expect(field("data[].title")).toEqual({
      ...{ operation: "rooms.list", path: "data[].title", kinds: ["string"], known: true, count: 3 },
    });
    expect(field("data")).toMatchObject({ known: true, kinds: ["array"], count: 1 });
  });

  it("shows the name of an unknown field only if it looks like an identifier", () => {
    const named = (name: string) => unknownOf("rooms.list", { ...samples.page([]), [name]: 1 })[0]?.path;
    for (const name of ["a", "Ab_9", "x".repeat(50)]) expect(named(name)).toBe(name);
    for (const name of ["", "9a", "_a", "a-b", "a b", "a@b.example", "é", "x".repeat(51)])
      expect(named(name)).toBe("(another name)");
  });

  it("leaves out the fields inside an unknown field", () => {
    expect(unknownOf("rooms.list", { ...samples.page([]), other: { inner: 1 } }).map(({ path }) => path)).toEqual([
      "other",
    ]);
  });
});
