/** Texts for which a regular expression or a comparison could take quadratic time. */
import { describe, expect, it } from "vitest";
import { chunks, type SpokenTranscript, search, toMarkdown, toSrt, toText, toVtt } from "../../src/transcript/index.js";
import { cpuTimeOf } from "../support/cpu-time.js";

const said = (text: string): SpokenTranscript => ({
  speakers: [{ id: "spk_1", name: "Ada" }],
  segments: [{ speaker_id: "spk_1", start_time: 0, end_time: 3600, text }],
});
const captions = { maxLineLength: 42, maxCueSeconds: 7 };
const forms: [string, (transcript: SpokenTranscript, text: string) => unknown][] = [
  ["toText", toText],
  ["toMarkdown", (transcript) => toMarkdown(transcript)],
  ["toSrt", (transcript) => [toSrt(transcript), toSrt(transcript, { maxCueSeconds: 7 })]],
  ["toVtt", (transcript) => [toVtt(transcript), toVtt(transcript, captions)]],
  ["search", (transcript, text) => search(transcript, `${text.slice(0, text.length / 4)}x${text.slice(0, 25_000)}`)],
  ["chunks", (transcript) => chunks(transcript, { maxTokens: 5_000, countTokens: (text) => text.length })],
];
const hostile = [
  "-",
  " ",
  ".",
  "a",
  "&",
  "&a",
  "#",
  "_",
  "[",
  "=",
  "a@",
  "a.",
  "http://",
  "https://.",
  "e\u0301",
  "会",
  "\u0301",
];

describe.each(forms)("%s", (_, form) => {
  it.each(hostile)("reads 100,000 characters of %j in linear time", async (unit) => {
    const text = `x${unit.repeat(100_000 / unit.length)}x`;
    const transcript = said(text);
    // Quadratic work would take 5,000 ms and more; linear work takes less than 500 ms.
    expect(await cpuTimeOf(() => form(transcript, text))).toBeLessThan(2_500);
  });
});

it("`chunks` accepts a word of 130,000 characters, more than a JavaScript call can have arguments", () => {
  const maxTokens = "[00:00:00] Ada: ".length + 1;
  const found = chunks(said("x".repeat(130_000)), { maxTokens, countTokens: (text) => text.length });
  expect(found).toHaveLength(130_000);
});
