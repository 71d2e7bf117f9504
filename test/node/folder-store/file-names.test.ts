import fc from "fast-check";
import { expect, it } from "vitest";
import { documentName, idName, isNameOf, meetingName } from "../../../src/node/folder-store/file-names.js";
import { runs } from "../../support/property-seed.js";

const odd = [
  "..",
  ".",
  "CON",
  "nul.txt",
  "a/b\\c",
  "C:",
  "-",
  " ",
  "\0",
  "🎉",
  "\ud800",
  "n".repeat(999),
  "語".repeat(999),
];
const anyTitle = fc.oneof(fc.string({ unit: "binary", maxLength: 400 }), fc.constantFrom(...odd));
const anyId = fc
  .oneof(fc.stringMatching(/^[A-Za-z0-9_]{1,30}$/), fc.string({ unit: "grapheme-ascii", maxLength: 100 }))
  .map((rest) => `mtg_${rest}`);
const start_time = "2025-06-02T09:00:00Z";

/** Names that every system accepts: Windows is the strictest system, and encrypted home folders accept no longer ones. */
const isSafe = (name: string) =>
  !/[<>:"/\\|?*\p{Cc}\p{Surrogate}]/u.test(name) &&
  !/[. ]$/.test(name) &&
  !name.startsWith(".") &&
  !/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(name) &&
  Buffer.byteLength(name) <= 143;

it.each([
  ["Weekly sync", start_time, "2025-06-02-Weekly-sync-mtg_1"],
  ["  --Weekly / sync!! ", start_time, "2025-06-02-Weekly-sync-mtg_1"],
  [null, start_time, "2025-06-02-mtg_1"],
  ["Überprüfung: 第三季度 (Q3) 🎉", start_time, "2025-06-02-Überprüfung-第三季度-Q3-mtg_1"],
  ["e\u0301tude", "2025-6-2", "\u00e9tude-mtg_1"],
  ["../../../etc", "soon", "etc-mtg_1"],
  ["語".repeat(99), "on 2025-06-02", `${"語".repeat(30)}-mtg_1`],
])("the folder of a meeting is named after its date, its title and its id: %s", (title, time, expected) => {
  expect(meetingName({ id: "mtg_1", title, start_time: time })).toBe(expected);
  expect(documentName({ id: "doc_1", title: "Summary" })).toBe("Summary-doc_1");
});

it("a name is valid on every system, whatever the title and the id, and recognised as one of its id", () => {
  fc.assert(
    fc.property(anyTitle, anyId, fc.constantFrom(start_time, "", ".."), (title, id, time) => {
      const name = meetingName({ id, title, start_time: time });
      expect(name).toSatisfy(isSafe);
      expect(isNameOf(id, name)).toBe(true);
      expect(documentName({ id, title })).toSatisfy(isSafe);
      expect(Buffer.byteLength(`.${documentName({ id, title })}.docx.received.json.part`)).toBeLessThanOrEqual(143);
    }),
    { numRuns: runs(500) },
  );
});

it("names of two ids differ, even if the ids differ only in upper and lower case", () => {
  const pairs = fc.oneof(fc.tuple(anyId, anyId), fc.constant(["mtg_aB", "mtg_Ab"] as [string, string]));
  fc.assert(
    fc.property(pairs, ([one, other]) => {
      fc.pre(one !== other);
      expect(idName(one).toLowerCase()).not.toBe(idName(other).toLowerCase());
    }),
    { numRuns: runs(500) },
  );
  expect(idName("mtg_1")).toBe("mtg_1");
});

it("a name that is read from a file is refused if it is unsafe, or of another id", () => {
  const unsafe = [
    "../mtg_1",
    "a/b-mtg_1",
    ".b-mtg_1",
    "b-mtg_1.",
    "b c-mtg_1",
    "b\n-mtg_1",
    `${"é".repeat(125)}-mtg_1`,
  ];
  const ofOthers = ["", "mtg_12", "mtg_1-a", "Weeklymtg_1", 5, null, undefined, ["mtg_1"]];
  for (const name of [...unsafe, ...ofOthers]) expect(isNameOf("mtg_1", name), `${name}`).toBe(false);
});

it("an id that is the name of another has a name of its own", () => {
  expect(idName(idName("mtg_A"))).not.toBe(idName("mtg_A"));
});
