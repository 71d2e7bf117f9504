/** Long texts in parts: a part is as long as allowed or a single piece, and all parts together are the whole text. */
import { describe, expect, it } from "vitest";
import { cutPieces, linesOf } from "../../src/tools/cut-text.js";

describe("cutPieces()", () => {
  const pieces = ["aaaa", "bbbb", "cccc"];

  it.each([
    [4, undefined, { text: "aaaa", next_cursor: "1" }],
    // The line break after a piece counts, too.
    [9, undefined, { text: "aaaa", next_cursor: "1" }],
    [10, undefined, { text: "aaaa\nbbbb", next_cursor: "2" }],
    [15, undefined, { text: "aaaa\nbbbb\ncccc", next_cursor: null }],
    [10, "1", { text: "bbbb\ncccc", next_cursor: null }],
    [10, "2", { text: "cccc", next_cursor: null }],
    [10, "3", { text: "", next_cursor: null }],
  ])("returns as many pieces as %d characters can contain, from cursor %j on", (maxCharacters, cursor, part) => {
    expect(cutPieces("t", pieces, { maxCharacters, cursor })).toEqual(part);
  });

  it("returns at least one piece, even if the piece is too long", () => {
    expect(cutPieces("t", pieces, { maxCharacters: 1 })).toEqual({ text: "aaaa", next_cursor: "1" });
    expect(cutPieces("t", pieces, { maxCharacters: 1, cursor: "1" })).toEqual({ text: "bbbb", next_cursor: "2" });
  });

  it("returns up to 20,000 characters by default", () => {
    const lines = Array.from({ length: 300 }, () => "x".repeat(99));
    expect(cutPieces("t", lines, {})).toEqual({ text: lines.slice(0, 200).join("\n"), next_cursor: "200" });
  });

  it.each(["4", "-1", "1.5", "x1", "1x", "", "1234567890", "0x1"])("rejects the cursor %j", (cursor) => {
    expect(() => cutPieces("get_transcript", pieces, { cursor })).toThrow(
      "get_transcript: cursor: expected the next_cursor of a previous result",
    );
  });
});

describe("linesOf()", () => {
  it.each([
    ["", [""]],
    ["abc", ["abc"]],
    ["abcd", ["abcd"]],
    ["abcde", ["abcd", "e"]],
    ["abcdefgh", ["abcd", "efgh"]],
    ["abcdefghi", ["abcd", "efgh", "i"]],
    ["a\n\nbcdef\n", ["a", "", "bcde", "f", ""]],
  ])("splits %j into lines of at most 4 characters", (text, lines) => {
    expect(linesOf(text, 4)).toEqual(lines);
  });

  it("does not split a surrogate pair", () => {
    expect(linesOf("abc😀d", 4)).toEqual(["abc", "😀d"]);
    expect(linesOf("ab😀", 4)).toEqual(["ab😀"]);
    expect(linesOf("ab😀c", 4)).toEqual(["ab😀", "c"]);
  });

  it("keeps an unpaired surrogate at the end of a text", () => {
    expect(linesOf("abc\ud83d", 4)).toEqual(["abc\ud83d"]);
  });

  it("splits after 2,000 characters by default", () => {
    expect(linesOf("x".repeat(4_001)).map(({ length }) => length)).toEqual([2_000, 2_000, 1]);
  });
});
