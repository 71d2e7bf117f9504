/** What the functions of transcripts are called with: options, and values that are not a transcript. */
import {
  chunks,
  formatTime,
  type SpokenTranscript,
  search,
  speakerName,
  toMarkdown,
  toSrt,
  toText,
  toVtt,
  turns,
} from "notetaker-sdk/transcript";
import { describe, expect, it } from "vitest";
import { said } from "./fixture.js";

const nothing: SpokenTranscript = said();
const countTokens = (text: string) => text.length;

const FUNCTIONS: [string, (transcript: SpokenTranscript, options?: object) => unknown][] = [
  ["toText", toText],
  ["toMarkdown", toMarkdown],
  ["toSrt", toSrt],
  ["toVtt", toVtt],
  ["turns", turns],
  ["chunks", (transcript, options) => chunks(transcript, { maxTokens: 100, countTokens, ...options })],
  ["search", (transcript) => search(transcript, "x")],
  ["speakerName", (transcript) => speakerName(transcript, "spk_1")],
];

describe.each(FUNCTIONS)("%s", (_, call) => {
  it("refuses a promise that was not awaited, and other values that are not a transcript", () => {
    const refused: [unknown, string][] = [
      [Promise.resolve(nothing), "a promise: await it"],
      [undefined, "undefined"],
      [null, "null"],
      ["[00:00:00] Ada: Hello", "string"],
    ];
    for (const [value, received] of refused) {
      const error = new TypeError(`expected a transcript, received ${received}`);
      expect(() => call(value as SpokenTranscript)).toThrow(error);
    }
  });

  it("reads a transcript that was not validated", () => {
    const odd = [
      {},
      { speakers: null, segments: null },
      { speakers: [null], segments: [null] },
      { speakers: [{ id: 5, name: {} }], segments: [{ speaker_id: 5, text: 7 }] },
      { speakers: {}, segments: [{}, { text: "Hi" }] },
    ];
    for (const transcript of odd) expect(() => call(transcript as never), JSON.stringify(transcript)).not.toThrow();
  });
});

it.each(FUNCTIONS.slice(0, -2))("%s refuses an unknown option, and names it", (_, call) => {
  for (const option of ["foo", "maxLineLenght", "toString"]) {
    const error = () => call(nothing, { [option]: 1 });
    expect(error).toThrow(TypeError);
    expect(error).toThrow(new RegExp(`^${option}: unknown option; known: (none|\\w+(, \\w+)+)$`));
  }
});

it("the error for an unknown option names every option", () => {
  expect(() => toMarkdown(nothing, { titel: "x" } as never)).toThrow(
    "titel: unknown option; known: title, frontMatter, maxGapSeconds, maxCharacters",
  );
  expect(() => chunks(nothing, { maxTokens: 9, countTokens, overlap: 1 } as never)).toThrow(
    "overlap: unknown option; known: maxTokens, countTokens, overlapTurns, line, maxGapSeconds, maxCharacters",
  );
});

it("a meeting without any words causes only the text that a format requires", () => {
  for (const silent of [said(), said([0, 1, "\n"])]) {
    expect([toText(silent), toMarkdown(silent), toSrt(silent), toVtt(silent)]).toEqual(["", "", "", "WEBVTT\n"]);
    expect(chunks(silent, { maxTokens: 10, countTokens })).toEqual([]);
  }
});

it("toText ignores the index that Array.map passes", () => {
  expect([nothing, nothing].map(toText)).toEqual(["", ""]);
});

/** `String` throws for the first, a template for the second, `JSON.stringify` for the third. */
const ODD: [string, unknown][] = [
  ["object", Object.create(null)],
  ["Symbol(odd)", Symbol("odd")],
  ["7", 7n],
];

it.each(ODD)("every error shows what it received, also a value without a text: %s", (shown, odd) => {
  const options = { maxTokens: 100, countTokens };
  const greeting = said([0, 1, "Hi"]);
  const calls: [string, () => unknown][] = [
    ["seconds: expected a finite number", () => formatTime(odd as number)],
    ["maxGapSeconds: expected a number of at least 0", () => turns(nothing, { maxGapSeconds: odd as number })],
    ["maxCueSeconds: expected a number of at least 0", () => toVtt(nothing, { maxCueSeconds: odd as number })],
    [
      "countTokens: expected a function that returns a number",
      () => chunks(greeting, { ...options, countTokens: () => odd as number }),
    ],
    [
      "line: expected a function that returns a string",
      () => chunks(greeting, { ...options, line: () => odd as string }),
    ],
    ["query: expected a text or a regular expression", () => search(nothing, odd as string)],
  ];
  for (const [expected, call] of calls) expect(call).toThrow(`${expected}, received ${shown}`);
});
