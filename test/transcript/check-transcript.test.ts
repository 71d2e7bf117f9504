/** A promise that was not awaited, and other values that are not a transcript. */
import { chunks, search, speakerName, toMarkdown, toSrt, toText, toVtt, turns } from "notetaker-sdk/transcript";
import { describe, expect, it } from "vitest";

type Transcript = Parameters<typeof toText>[0];

describe.each<[string, (transcript: Transcript) => unknown]>([
  ["toText", toText],
  ["toMarkdown", toMarkdown],
  ["toSrt", toSrt],
  ["toVtt", toVtt],
  ["turns", turns],
  ["search", (transcript) => search(transcript, "x")],
  ["chunks", (transcript) => [...chunks(transcript, { maxTokens: 100, countTokens: (text) => text.length })]],
  ["speakerName", (transcript) => speakerName(transcript, "spk_1")],
])("%s", (_, read) => {
  it.each<[unknown, string]>([
    [Promise.resolve({ speakers: [], segments: [] }), "a promise: await it"],
    [undefined, "undefined"],
    [null, "null"],
    ["[00:00:00] Ada: Hello", "string"],
  ])("refuses %j", (value, received) => {
    const error = `expected a transcript, received ${received}`;
    expect(() => read(value as Transcript)).toThrow(new TypeError(error));
  });

  it("accepts an object without speakers and segments as an empty transcript", () => {
    expect(() => read({} as Transcript)).not.toThrow();
  });
});
