import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { documentName, idName, meetingName, readableName } from "../../../src/node/export/file-names.js";
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

/** What no system refuses: Windows is the strictest of them. */
function isSafe(name: string): boolean {
  return (
    !/[<>:"/\\|?*\p{Cc}\p{Surrogate}]/u.test(name) &&
    !/[. ]$/.test(name) &&
    !name.startsWith(".") &&
    !/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(name) &&
    // Encrypted home folders take no more.
    Buffer.byteLength(name) <= 143
  );
}

describe("the name of a meeting's folder", () => {
  it("consists of its day, its title and its id", () => {
    expect(meetingName({ id: "mtg_1", title: "Weekly sync", start_time })).toBe("2025-06-02-Weekly-sync-mtg_1");
    expect(meetingName({ id: "mtg_1", title: null, start_time })).toBe("2025-06-02-mtg_1");
    expect(meetingName({ id: "mtg_1", title: "Überprüfung: 第三季度 (Q3) 🎉", start_time })).toBe(
      "2025-06-02-Überprüfung-第三季度-Q3-mtg_1",
    );
    expect(meetingName({ id: "mtg_1", title: "../../../etc", start_time: "soon" })).toBe("etc-mtg_1");
  });

  it("is safe on every system, whatever the title and the id", () => {
    fc.assert(
      fc.property(anyTitle, anyId, fc.constantFrom(start_time, "", ".."), (title, id, time) => {
        expect(meetingName({ id, title, start_time: time })).toSatisfy(isSafe);
        expect(Buffer.byteLength(`.${documentName({ id, title })}.received.json.part`)).toBeLessThanOrEqual(143);
        expect(`${documentName({ id, title })}.docx`).toSatisfy(isSafe);
      }),
      { numRuns: runs(500) },
    );
  });

  it("differs for each id, even if upper and lower case are the same", () => {
    fc.assert(
      fc.property(anyId, anyId, (one, other) => {
        fc.pre(one !== other);
        expect(idName(one).toLowerCase()).not.toBe(idName(other).toLowerCase());
      }),
      { numRuns: runs(500) },
    );
    expect(idName("mtg_aB").toLowerCase()).not.toBe(idName("mtg_Ab").toLowerCase());
    expect(idName("mtg_ab")).toBe("mtg_ab");
  });

  it("is the same however a letter is composed", () => {
    expect(readableName("e\u0301tude")).toBe(readableName("\u00e9tude"));
  });

  it("holds at most 60 characters and 120 bytes of a title", () => {
    expect(readableName("word ".repeat(100)).length).toBeLessThanOrEqual(60);
    expect(Buffer.byteLength(readableName("語".repeat(100)))).toBeLessThanOrEqual(120);
  });
});
