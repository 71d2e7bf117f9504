import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  documentName,
  idName,
  isNameOf,
  meetingName,
  readableName,
} from "../../../src/node/folder-store/file-names.js";
import { runs } from "../../support/property-seed.js";

const anyTitle = fc.oneof(
  fc.string({ unit: "binary", maxLength: 400 }),
  fc.string({ unit: "grapheme", maxLength: 400 }),
  fc.constantFrom(
    "..",
    ".",
    "CON",
    "nul.txt",
    "a/b\\c",
    "C:",
    "-",
    " ",
    "\u0000",
    "🎉",
    "\ud800",
    "n".repeat(10_000),
    "語".repeat(10_000),
  ),
);
const anyId = fc
  .oneof(
    fc.stringMatching(/^[A-Za-z0-9_]{1,30}$/),
    fc.string({ unit: "grapheme-ascii", maxLength: 100 }),
    fc.constantFrom("..", "a:b", "a*b", "x".repeat(500)),
  )
  .map((rest) => `mtg_${rest}`);
const start_time = "2025-06-02T09:00:00Z";

/** Names that every system accepts: Windows is the strictest system. */
function isSafe(name: string): boolean {
  return (
    !/[<>:"/\\|?*\p{Cc}\p{Surrogate}]/u.test(name) &&
    !/[. ]$/.test(name) &&
    !name.startsWith(".") &&
    !/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(name) &&
    // Encrypted home folders accept no longer names.
    Buffer.byteLength(name) <= 143
  );
}

it("the readable part of a file name is the words of the title, as far as they fit", () => {
  const names: [string | null | undefined, number | undefined, string][] = [
    [null, undefined, ""],
    [undefined, undefined, ""],
    ["Weekly sync", undefined, "Weekly-sync"],
    ["  --Weekly / sync!! ", undefined, "Weekly-sync"],
    ["a".repeat(61), undefined, "a".repeat(60)],
    ["é".repeat(61), undefined, "é".repeat(60)],
    ["e\u0301tude", undefined, "\u00e9tude"],
    ["語".repeat(61), undefined, "語".repeat(40)],
    ["ab c", 3, "ab"],
    ["語語", 5, "語"],
    [`${" ".repeat(1_000)}late`, undefined, ""],
  ];
  for (const [title, maxBytes, expected] of names) expect(readableName(title, maxBytes), `${title}`).toBe(expected);
});

it("the id part of a file name is the id, or its safe characters and a digest", () => {
  for (const id of ["mtg_1", "a-b_2", `mtg_${"x".repeat(60)}`]) expect(idName(id)).toBe(id);
  expect(idName("mtg_aB")).toMatch(/^mtg_aB-[0-9a-f]{12}$/);
  expect(idName(`mtg_${"x".repeat(61)}`)).toMatch(/^mtg_x{36}-[0-9a-f]{12}$/);
  expect(idName("mtg_a/../b")).toMatch(/^mtg_a-b-[0-9a-f]{12}$/);
  expect(idName("")).toMatch(/^-[0-9a-f]{12}$/);
});

it("a name that is read from a file is accepted only if it is a safe name of its id", () => {
  const good = ["mtg_1", "2025-01-01-Weekly-mtg_1", "-mtg_1", "Überprüfung-第三-mtg_1", `${"x".repeat(249)}-mtg_1`];
  for (const name of good) expect(isNameOf("mtg_1", name), name).toBe(true);
  const unsafe = ["../mtg_1", "a/b-mtg_1", ".b-mtg_1", "b-mtg_1.", "b c-mtg_1", "b\n-mtg_1"];
  const tooLong = [`${"x".repeat(250)}-mtg_1`, `${"é".repeat(125)}-mtg_1`];
  const ofOthers = ["", "mtg_12", "mtg_1-a", "Weeklymtg_1", 5, null, undefined, ["mtg_1"]];
  for (const name of [...unsafe, ...tooLong, ...ofOthers]) expect(isNameOf("mtg_1", name), `${name}`).toBe(false);
});

describe("the name of a meeting's folder", () => {
  it("consists of its date, its title and its id", () => {
    expect(meetingName({ id: "mtg_1", title: "Weekly sync", start_time })).toBe("2025-06-02-Weekly-sync-mtg_1");
    expect(meetingName({ id: "mtg_1", title: null, start_time })).toBe("2025-06-02-mtg_1");
    expect(meetingName({ id: "mtg_1", title: "Überprüfung: 第三季度 (Q3) 🎉", start_time })).toBe(
      "2025-06-02-Überprüfung-第三季度-Q3-mtg_1",
    );
    expect(meetingName({ id: "mtg_1", title: "../../../etc", start_time: "soon" })).toBe("etc-mtg_1");
    expect(meetingName({ id: "mtg_1", start_time: "on 2025-06-02" })).toBe("mtg_1");
    expect(meetingName({ id: "mtg_1", start_time: "2025-6-2" })).toBe("mtg_1");
    expect(documentName({ id: "doc_1", title: "Summary" })).toBe("Summary-doc_1");
  });

  it("is valid on every system, whatever the title and the id", () => {
    fc.assert(
      fc.property(anyTitle, anyId, fc.constantFrom(start_time, "", ".."), (title, id, time) => {
        expect(meetingName({ id, title, start_time: time })).toSatisfy(isSafe);
        expect(Buffer.byteLength(`.${documentName({ id, title })}.docx.received.json.part`)).toBeLessThanOrEqual(143);
        expect(`${documentName({ id, title })}.docx`).toSatisfy(isSafe);
      }),
      { numRuns: runs(500) },
    );
  });

  it("differs for two ids even if they differ only in upper and lower case", () => {
    fc.assert(
      fc.property(anyId, anyId, (one, other) => {
        fc.pre(one !== other);
        expect(idName(one).toLowerCase()).not.toBe(idName(other).toLowerCase());
      }),
      { numRuns: runs(500) },
    );
    expect(idName("mtg_aB").toLowerCase()).not.toBe(idName("mtg_Ab").toLowerCase());
  });
});
