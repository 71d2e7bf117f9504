/** Work grows in proportion to the length of a transcript, also for texts that could make a search take longer. */
import { describe, expect, it } from "vitest";
import {
  chunks,
  type Spoken,
  type SpokenTranscript,
  search,
  toMarkdown,
  toSrt,
  toText,
  toVtt,
  turns,
} from "../../src/transcript/index.js";
import { cpuTimeOf } from "../support/cpu-time.js";
import { said } from "./fixture.js";

const spoken = (text: string): SpokenTranscript => said([0, 3600, text]);
const captions = { maxLineLength: 42, maxCueSeconds: 7 };
const forms: [string, (transcript: SpokenTranscript, text: string) => unknown][] = [
  ["toText", (transcript) => toText(transcript)],
  ["toMarkdown", (transcript) => toMarkdown(transcript)],
  ["toSrt", (transcript) => [toSrt(transcript), toSrt(transcript, { maxCueSeconds: 7 })]],
  ["toVtt", (transcript) => [toVtt(transcript), toVtt(transcript, captions)]],
  ["search", (transcript, text) => search(transcript, `${text.slice(0, text.length / 4)}x${text.slice(0, 25_000)}`)],
  ["chunks", (transcript) => chunks(transcript, { maxTokens: 5_000, countTokens: (text) => text.length })],
];
const hostile = [..."- . a & &a # _ [ = a@ a. http:// https://. e\u0301 会 \u0301".split(" "), " "];

describe.each(forms)("%s", (_, form) => {
  it.each(hostile)("reads 100,000 characters of %j in linear time", async (unit) => {
    const text = `x${unit.repeat(100_000 / unit.length)}x`;
    const transcript = spoken(text);
    // Quadratic work would take 5,000 ms and more; linear work takes less than 500 ms.
    expect(await cpuTimeOf(() => form(transcript, text))).toBeLessThan(2_500);
  });
});

it("`chunks` accepts a word of 130,000 characters, more than a JavaScript call can have arguments", () => {
  const maxTokens = "[00:00:00] Ada: ".length + 1;
  const found = chunks(spoken("x".repeat(130_000)), { maxTokens, countTokens: (text) => text.length });
  expect(found).toHaveLength(130_000);
});

/** A transcript that counts how often its segments are read. */
function counted(length: number): { transcript: SpokenTranscript; reads: () => number } {
  let reads = 0;
  const segments = Array.from({ length }, (_, index) => {
    const fields = { start_time: index, end_time: index + 1, text: `Sentence number ${index}.` };
    const segment = { speaker_id: index % 3 ? "spk_1" : "spk_2", ...fields } as const;
    return new Proxy<Spoken>(segment, {
      get(target, key) {
        if (key in fields) reads++;
        return Reflect.get(target, key);
      },
    });
  });
  return { transcript: { speakers: [], segments }, reads: () => reads };
}

it.each<[string, (transcript: SpokenTranscript) => unknown]>([
  ["turns", turns],
  ["toText", (transcript) => toText(transcript)],
  ["toMarkdown", toMarkdown],
  ["toSrt", (transcript) => toSrt(transcript, { maxLineLength: 10, maxCueSeconds: 0.5 })],
  ["search", (transcript) => search(transcript, "number")],
  ["chunks", (transcript) => chunks(transcript, { maxTokens: 500, countTokens: (text) => text.length })],
])("%s reads each segment once", (_, form) => {
  const { transcript, reads } = counted(1_000);
  form(transcript);
  expect(reads()).toBe(3_000);
});

it.each([
  ["many short turns", 3, 500],
  ["one huge turn", 1, 100],
])("the work of the token counter grows in proportion to the text (%s)", (_, speakers, maxTokens) => {
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
