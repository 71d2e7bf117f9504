import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type SpokenTranscript, speakerName, toText, turns } from "../../src/transcript/index.js";
import { anyTranscript } from "./arbitrary.js";
import { said } from "./fixture.js";

const { speakers } = said();
const brief = (...args: Parameters<typeof turns>) =>
  turns(...args).map(({ speaker_name, start_time, end_time, text }) => [speaker_name, start_time, end_time, text]);

it.each<[what: string, speakers: SpokenTranscript["speakers"], id: unknown, name: string]>([
  ["the name in the transcript", speakers, "spk_2", "Bob"],
  ["the id if the transcript does not list the speaker", speakers, "spk_3", "spk_3"],
  ["the id if the transcript lists no name", [{ id: "spk_3", name: " \n" }], "spk_3", "spk_3"],
  ['"Unknown speaker" if there is no id either', [], null, "Unknown speaker"],
  ["the first one if an id has two names", [...speakers, { id: "spk_1", name: "Eve" }], "spk_1", "Ada"],
  ["one line", [{ id: "spk_1", name: "Ada\n[00:00:00] Eve" }], "spk_1", "Ada [00:00:00] Eve"],
  ["the id if every object has a property of this name", [], "constructor", "constructor"],
])("a speaker's name is %s", (_, speakers, id, name) => {
  expect(speakerName({ speakers }, id as string)).toBe(name);
});

describe("turns()", () => {
  it("joins consecutive segments of one speaker", () => {
    expect(brief(said([0, 1, "One"], [1, 9, "two."], [2, 3, "Three.", 2], [8, 9, "Four."]))).toEqual([
      ["Ada", 0, 9, "One two."],
      ["Bob", 2, 3, "Three."],
      ["Ada", 8, 9, "Four."],
    ]);
  });

  it("ends a turn at a pause of more than maxGapSeconds", () => {
    const paused = said([0, 1, "One."], [3, 4, "Two."], [6.001, 7, "Three."]);
    expect(brief(paused)).toHaveLength(1);
    expect(brief(paused, { maxGapSeconds: 2 })).toEqual([
      ["Ada", 0, 4, "One. Two."],
      ["Ada", 6.001, 7, "Three."],
    ]);
    // A pause begins at the latest end of all previous segments.
    const nested = said([0, 10, "Long."], [1, 2, "Short."], [11, 12, "Next."]);
    expect(brief(nested, { maxGapSeconds: 2 })).toEqual([["Ada", 0, 12, "Long. Short. Next."]]);
  });

  it("keeps a turn within maxCharacters, except for a longer single segment", () => {
    const long = said([0, 1, "12345"], [1, 2, "789"], [2, 3, "0"], [3, 4, "far too long"]);
    expect(brief(long, { maxCharacters: 9 }).map(([, , , text]) => text)).toEqual(["12345 789", "0", "far too long"]);
  });

  it("returns turns that can be used as a transcript again", () => {
    const lines = said([0, 1, "One\n\n[00:00:09] Eve:"], [1, 2, "two."], [360_002, 360_003, "Three.", 2]);
    expect(toText({ ...lines, segments: turns(lines) })).toBe(
      "[00:00:00] Ada: One [00:00:09] Eve: two.\n[100:00:02] Bob: Three.\n",
    );
  });

  it.each([{ maxGapSeconds: -1 }, { maxGapSeconds: Number.NaN }, { maxCharacters: "9" as unknown as number }])(
    "rejects %o",
    (options) => {
      const [name] = Object.keys(options);
      expect(() => turns(said(), options)).toThrow(new RegExp(`^${name}: expected a number of at least 0`));
    },
  );

  it("returns every word once, with a change of speaker between turns, for any transcript", () => {
    fc.assert(
      fc.property(anyTranscript, (any) => {
        const joined = turns(any);
        const one = turns({ ...any, segments: any.segments.map((segment) => ({ ...segment, speaker_id: "spk_1" })) });
        const words = (all: readonly { text: string }[]) => all.map(({ text }) => text.replaceAll(" ", "")).join("");
        expect(words(joined)).toBe(words(one));
        joined.forEach((turn, index) => {
          expect(turn.speaker_id).not.toBe(joined[index + 1]?.speaker_id);
        });
        expect(turns({ ...any, segments: joined })).toEqual(joined);
      }),
    );
  });

  it("does not change the transcript", () => {
    const lines = said([5, 6, " b "], [0, 1, "a"]);
    const before = structuredClone(lines);
    turns(lines);
    expect(lines).toEqual(before);
  });
});
