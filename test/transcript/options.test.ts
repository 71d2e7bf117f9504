import { expect, it } from "vitest";
import { chunks, type SpokenTranscript, toMarkdown, toSrt, toVtt, turns } from "../../src/transcript/index.js";

const nothing: SpokenTranscript = { speakers: [], segments: [] };
const countTokens = (text: string) => text.length;

it.each([
  ["turns", () => turns(nothing, { maxGap: 1 } as object), /^maxGap: unknown option, expected one of maxGapSeconds, /],
  ["toSrt", () => toSrt(nothing, { maxLineLenght: 1 } as object), /^maxLineLenght: unknown option/],
  ["toVtt", () => toVtt(nothing, { width: 1 } as object), /^width: unknown option, expected one of maxLineLength, /],
  ["toMarkdown", () => toMarkdown(nothing, { titel: "x" } as object), /^titel: unknown option/],
  ["chunks", () => chunks(nothing, { maxTokens: 9, countTokens, lines: 1 } as never), /^lines: unknown option/],
])("%s rejects an unknown option, and names it", (_, call, message) => {
  expect(call).toThrow(TypeError);
  expect(call).toThrow(message);
});

it("chunks without maxTokens says that maxTokens is missing", () => {
  expect(() => chunks(nothing, { countTokens } as never)).toThrow(
    /^maxTokens: expected a number of at least 1, received undefined$/,
  );
  expect(() => (chunks as (transcript: SpokenTranscript) => unknown)(nothing)).toThrow(/^maxTokens: expected/);
});

it.each([
  ["no lists", {}],
  ["null lists", { speakers: null, segments: null }],
  ["a null segment and a null speaker", { speakers: [null], segments: [null] }],
  ["fields of another type", { speakers: [{ id: 5, name: {} }], segments: [{ speaker_id: 5, text: 7 }] }],
  ["segments without fields", { speakers: {}, segments: [{}, { text: "Hi" }] }],
])("every function reads a transcript with %s", (_, odd) => {
  const transcript = odd as unknown as SpokenTranscript;
  for (const form of [turns, toMarkdown, toSrt, toVtt]) expect(() => form(transcript)).not.toThrow();
  expect(() => chunks(transcript, { maxTokens: 99, countTokens })).not.toThrow();
});
