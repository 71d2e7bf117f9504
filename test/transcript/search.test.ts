import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { search, turns } from "../../src/transcript/index.js";
import { anyTranscript } from "./arbitrary.js";

const transcript = {
  speakers: [
    { id: "spk_1", name: "Ada" },
    { id: "spk_2", name: "Bob" },
  ],
  segments: [
    { speaker_id: "spk_1", start_time: 0, end_time: 4, text: "The bud" },
    { speaker_id: "spk_1", start_time: 4, end_time: 8, text: "get is 100 (or so)." },
    { speaker_id: "spk_1", start_time: 8, end_time: 12, text: "Not 200, the" },
    { speaker_id: "spk_1", start_time: 12, end_time: 15, text: "Budget." },
    { speaker_id: "spk_2", start_time: 15, end_time: 17, text: "İstanbul? BUDGET!" },
  ],
} as const;

describe("a search", () => {
  it("finds a text whatever its case, with the times of the segment that it is in", () => {
    expect(
      search(transcript, "budget").map(({ match, start_time, end_time, turn }) => [
        turn.speaker_name,
        match,
        start_time,
        end_time,
      ]),
    ).toEqual([
      ["Ada", "Budget", 12, 15],
      ["Bob", "BUDGET", 15, 17],
    ]);
  });

  it("finds what goes over from one segment to the next, with the times of both", () => {
    expect(search(transcript, "200, the budget")).toMatchObject([{ start_time: 8, end_time: 15 }]);
    expect(search(transcript, "the bud get is")).toMatchObject([{ start_time: 0, end_time: 8, index: 0 }]);
  });

  it("says where in the turn the match is", () => {
    for (const { index, match, turn } of search(transcript, "budget")) {
      expect(turn.text.slice(index, index + match.length)).toBe(match);
    }
    expect(search(transcript, "budget")).toHaveLength(2);
  });

  it("takes a text as it is, not as a pattern", () => {
    expect(search(transcript, "(or so).")).toMatchObject([{ start_time: 4, end_time: 8 }]);
    expect(search(transcript, ".*")).toEqual([]);
  });

  it("takes a regular expression with its own flags, and leaves it as it was", () => {
    const pattern = /\d+/g;
    pattern.lastIndex = 5;
    expect(search(transcript, pattern).map(({ match }) => match)).toEqual(["100", "200"]);
    expect(pattern.lastIndex).toBe(5);
    expect(search(transcript, /budget/)).toEqual([]);
    expect(search(transcript, /budget/i)).toHaveLength(2);
  });

  it("leaves out matches without length", () => {
    expect(search(transcript, /z*/)).toEqual([]);
  });

  it.each(["", undefined, null, 5])("refuses %j", (query) => {
    expect(() => search(transcript, query as string)).toThrow(/^query: expected/);
  });

  it("finds every turn by its own text, whatever was said", () => {
    fc.assert(
      fc.property(anyTranscript, (any) => {
        for (const { text, start_time, end_time } of turns(any)) {
          const found = search(any, text);
          expect(found.length).toBeGreaterThan(0);
          expect(found.some((one) => one.turn.start_time === start_time && one.end_time <= end_time)).toBe(true);
        }
      }),
      { numRuns: 60 },
    );
  });
});
