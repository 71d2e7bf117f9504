/** Work grows in proportion to the length of a transcript. The tests count steps instead of measuring time. */
import { describe, expect, it } from "vitest";
import { chunks, search, toMarkdown, toSrt, toText, toVtt, turns } from "../../src/transcript/index.js";
import type { Spoken, SpokenTranscript } from "../../src/transcript/types.js";

/** A transcript that counts how often its segments are read. */
function counted(length: number): { transcript: SpokenTranscript; reads: () => number } {
  let reads = 0;
  const segments = Array.from({ length }, (_, index) => {
    const segment = { start_time: index, end_time: index + 1, text: `Sentence number ${index}.` };
    return {
      speaker_id: index % 3 ? "spk_1" : "spk_2",
      get start_time() {
        reads++;
        return segment.start_time;
      },
      get end_time() {
        reads++;
        return segment.end_time;
      },
      get text() {
        reads++;
        return segment.text;
      },
    } satisfies Spoken;
  });
  return { transcript: { speakers: [], segments }, reads: () => reads };
}

const forms: [string, (transcript: SpokenTranscript) => unknown][] = [
  ["turns", turns],
  ["toText", toText],
  ["toMarkdown", toMarkdown],
  ["toSrt", (transcript) => toSrt(transcript, { maxLineLength: 10, maxCueSeconds: 0.5 })],
  ["toVtt", (transcript) => toVtt(transcript, { maxLineLength: 10, maxCueSeconds: 0.5 })],
  ["search", (transcript) => search(transcript, "number")],
  ["chunks", (transcript) => chunks(transcript, { maxTokens: 500, countTokens: (text) => text.length })],
];

describe("the work of a transcript function", () => {
  it.each(forms)("in %s is one read per segment", (_, form) => {
    const { transcript, reads } = counted(1_000);
    form(transcript);
    expect(reads()).toBe(3_000);
  });

  it.each([
    ["many short turns", 3, 500],
    ["one huge turn", 1, 100],
  ])("with the caller's token counter grows in proportion to the text (%s)", (_, speakers, maxTokens) => {
    const counting = (length: number) => {
      let characters = 0;
      const segments = counted(length).transcript.segments.map((segment) =>
        speakers === 1 ? { ...segment, speaker_id: "spk_1" as const } : segment,
      );
      const countTokens = (text: string) => {
        characters += text.length;
        return text.length;
      };
      chunks({ speakers: [], segments }, { maxTokens, countTokens, overlapTurns: 2 });
      return characters;
    };
    expect(counting(10_000) / counting(1_000)).toBeLessThan(12);
  });
});
