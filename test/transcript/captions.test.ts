/** Captions, read again by independent parsers: the W3C's validator, and a player's parser, which also reads SubRip. */
import fc from "fast-check";
import { parseText } from "media-captions";
import { describe, expect, it } from "vitest";
import { type CaptionOptions, type SpokenTranscript, toSrt, toVtt } from "../../src/transcript/index.js";
import { timeline } from "../../src/transcript/timeline.js";
import { anyTranscript, plainTranscript } from "./arbitrary.js";
import { said } from "./fixture.js";
import { readWebVtt, seconds } from "./read-webvtt.js";

const anyOptions: fc.Arbitrary<CaptionOptions> = fc.record(
  {
    maxLineLength: fc.option(fc.integer({ min: 1, max: 80 }), { nil: undefined }),
    maxCueSeconds: fc.option(fc.double({ min: 0.5, max: 20, noNaN: true }), { nil: undefined }),
    minDurationSeconds: fc.option(fc.double({ min: 0, max: 9, noNaN: true }), { nil: undefined }),
    mergeGapSeconds: fc.option(fc.double({ min: 0, max: 9, noNaN: true }), { nil: undefined }),
  },
  { requiredKeys: [] },
);

const one = (text: string, end_time = 4, start_time = 0) => said([start_time, end_time, text]);
const withoutSpace = (text: string) => text.replace(/\s+/g, "");
/** The two parsers sort captions with the same start in different orders. */
const sorted = (list: readonly unknown[]) => list.map((item) => JSON.stringify(item)).sort();

describe("WebVTT", () => {
  it("conforms to the standard, and keeps every word and time, for any transcript", () => {
    fc.assert(
      fc.property(anyTranscript, (transcript) => {
        const { cues, errors } = readWebVtt(toVtt(transcript));
        expect(errors).toEqual([]);
        const lines = timeline(transcript);
        const lasting = ({ startTime, endTime }: { startTime: number; endTime: number }) => endTime - startTime > 0;
        expect(cues.every(lasting)).toBe(true);
        expect(sorted(cues.map(({ startTime, text }) => [startTime, text]))).toEqual(
          sorted(lines.map(({ start_time, text }) => [start_time, text])),
        );
        expect(sorted(cues.map(({ endTime, text }) => [endTime, text]))).toEqual(
          expect.arrayContaining(
            sorted(lines.filter((one) => one.end_time > one.start_time).map(({ end_time, text }) => [end_time, text])),
          ),
        );
      }),
    );
  });

  it("conforms to the standard if captions are split and lines are broken", () => {
    fc.assert(
      fc.property(anyTranscript, anyOptions, (transcript, options) => {
        const { cues, errors } = readWebVtt(toVtt(transcript, options));
        expect(errors).toEqual([]);
        const characters = (all: readonly { text: string }[]) =>
          [...withoutSpace(all.map(({ text }) => text).join(""))].sort().join("");
        expect(characters(cues)).toBe(characters(timeline(transcript)));
        for (const { startTime, endTime } of cues) {
          expect(endTime - startTime).toBeLessThanOrEqual((options.maxCueSeconds ?? 1e12) + 0.001);
        }
      }),
    );
  });

  it("has the same content for a player as for the validator", async () => {
    await fc.assert(
      fc.asyncProperty(anyTranscript, anyOptions, async (transcript, options) => {
        const vtt = toVtt(transcript, options);
        const { cues } = await parseText(vtt, { type: "vtt", strict: true });
        expect(sorted(cues.map(({ startTime, endTime }) => [seconds(startTime), seconds(endTime)]))).toEqual(
          sorted(readWebVtt(vtt).cues.map(({ startTime, endTime }) => [startTime, endTime])),
        );
      }),
    );
  });

  const named = (name: string) => ({ ...one("Hi"), speakers: [{ id: "spk_1", name }] as const });
  it.each<[string, SpokenTranscript, cue: object]>([
    ["markup in a speaker's name, in its voice tag", named("A <b> & --> B"), { voice: "A <b> & --> B", text: "Hi" }],
    ["the first part of an arrow at the end of a name", named("Ada --"), { voice: "Ada --", text: "Hi" }],
    ["a time after a hundred hours", one("Still here.", 360_004, 360_000), { startTime: 360_000, endTime: 360_004 }],
  ])("conforms to the standard with %s", (_, transcript, cue) => {
    expect(readWebVtt(toVtt(transcript))).toMatchObject({ errors: [], cues: [cue] });
  });

  it("has no cue settings", () => {
    expect(toVtt(one("Hi"))).toBe("WEBVTT\n\n00:00:00.000 --> 00:00:04.000\n<v Ada>Hi\n");
  });
});

describe("SubRip", () => {
  it("keeps every caption with its time, speaker and text, in order, for any transcript", async () => {
    await fc.assert(
      fc.asyncProperty(anyTranscript, anyOptions, async (transcript, options) => {
        const { cues, errors } = await parseText(toSrt(transcript, options), { type: "srt", errors: true });
        expect(errors).toEqual([]);
        // WebVTT contains the same captions, and another parser reads it.
        const { cues: vtt } = readWebVtt(toVtt(transcript, options));
        const arrows = (text: string) => withoutSpace(text).replace(/-+>/g, "->");
        expect(cues.map(({ id }) => id)).toEqual(vtt.map((_, index) => `${index + 1}`));
        const starts = cues.map(({ startTime }) => startTime);
        expect(starts).toEqual([...starts].sort((a, b) => a - b));
        expect(
          sorted(cues.map(({ startTime, endTime, text }) => [seconds(startTime), seconds(endTime), arrows(text)])),
        ).toEqual(
          sorted(vtt.map(({ startTime, endTime, voice, text }) => [startTime, endTime, arrows(`${voice}:${text}`)])),
        );
      }),
    );
  });

  it("shortens an arrow in the text, which would end a caption", () => {
    expect(toSrt(one("a --> b ---> c -> d"))).toBe("1\n00:00:00,000 --> 00:00:04,000\nAda: a -> b -> c -> d\n");
  });
});

describe("captions", () => {
  const times = (vtt: string) => readWebVtt(vtt).cues.map(({ startTime, endTime, text }) => [startTime, endTime, text]);

  it("that are longer than maxCueSeconds are split between words, with interpolated times", () => {
    expect(times(toVtt(one("aaaa bbbb cccc dddd", 20), { maxCueSeconds: 11 }))).toEqual([
      [0, 10.526, "aaaa bbbb"],
      [10.526, 20, "cccc dddd"],
    ]);
  });

  it("are never longer than maxCueSeconds, whatever the word and minDurationSeconds are", () => {
    expect(times(toVtt(one("Hmmmmm", 60), { maxCueSeconds: 7 }))).toEqual([[0, 7, "Hmmmmm"]]);
    const limits = { minDurationSeconds: 5, maxCueSeconds: 1 };
    expect(times(toVtt(said([0, 0.2, "Yes."]), limits))).toEqual([[0, 1, "Yes."]]);
  });

  it("are split between words even in languages without spaces", () => {
    const found = times(toVtt(one("我们开始吧。首先看一下上个季度的数字。", 20), { maxCueSeconds: 5 }));
    expect(found.length).toBeGreaterThanOrEqual(4);
    expect(found.map(([, , text]) => text).join("")).toBe("我们开始吧。首先看一下上个季度的数字。");
    for (const [, , text] of found) expect(text).not.toMatch(/^[。，]/);
  });

  it("of segments without a duration stay readable, unless the next caption starts earlier", () => {
    const transcript = said([1, 1, "Yes."], [1.4, 1.4, "No."], [5, 5, "x".repeat(45)], [5, 5, "Both?", 2]);
    expect(times(toVtt(transcript))).toEqual([
      [1, 1.4, "Yes."],
      [1.4, 2.4, "No."],
      [5, 8, "x".repeat(45)],
      [5, 6, "Both?"],
    ]);
  });

  it("stay in order if a long one is split around a short one", () => {
    const transcript = said([0, 40, "one two three four five six seven eight"], [5, 6, "Oh!"]);
    const starts = times(toVtt(transcript, { maxCueSeconds: 10 })).map(([start]) => start as number);
    expect(starts).toEqual([...starts].sort((a, b) => a - b));
    expect(starts[1]).toBe(5);
  });

  it("are shown for minDurationSeconds if the next caption starts late enough", () => {
    const transcript = said([0, 0.2, "Yes."], [5, 5.2, "No."], [5.8, 6, "Well."], [5.9, 9, "Hm."]);
    expect(times(toVtt(transcript, { minDurationSeconds: 2 }))).toEqual([
      [0, 2, "Yes."],
      [5, 5.8, "No."],
      [5.8, 6, "Well."],
      [5.9, 9, "Hm."],
    ]);
    expect(times(toVtt(transcript))[0]).toEqual([0, 0.2, "Yes."]);
    expect(toSrt(transcript, { minDurationSeconds: 2 })).toContain("00:00:00,000 --> 00:00:02,000");
  });

  it("join segments of one speaker that are at most mergeGapSeconds apart", () => {
    const transcript = said(
      [0, 0.4, "Every"],
      [0.5, 0.9, "word"],
      [1, 1.3, "alone."],
      [3, 3.5, "Later."],
      [3.6, 4, "Me too.", 2],
    );
    expect(times(toVtt(transcript, { mergeGapSeconds: 0.2 }))).toEqual([
      [0, 1.3, "Every word alone."],
      [3, 3.5, "Later."],
      [3.6, 4, "Me too."],
    ]);
    expect(times(toVtt(transcript))).toHaveLength(5);
    expect(times(toVtt(said([0, 1, "会議を"], [1, 2, "始めます"]), { mergeGapSeconds: 0 }))).toEqual([
      [0, 2, "会議を始めます"],
    ]);
  });

  it("are joined, split and kept by their duration, whenever they start", () => {
    const late = said([100, 101, "a"], [101, 102, "b"], [102, 103, "c"]);
    expect(times(toVtt(late, { mergeGapSeconds: 1, maxCueSeconds: 2 }))).toEqual([
      [100, 102, "a b"],
      [102, 103, "c"],
    ]);
    expect(times(toVtt(said([100, 104, "one two"]), { maxCueSeconds: 4 }))).toEqual([[100, 104, "one two"]]);
    expect(times(toVtt(said([100, 104, "aaa bbb"]), { maxCueSeconds: 3 }))).toEqual([
      [100, 102.286, "aaa"],
      [102.286, 104, "bbb"],
    ]);
  });

  it("break lines between words, and break a word only if it is longer than a line", () => {
    expect(toVtt(one("ab cd ef"), { maxLineLength: 5 })).toContain("<v Ada>ab cd\nef\n");
    expect(toVtt(one("The quick brown fox."), { maxLineLength: 10 })).toContain("<v Ada>The quick\nbrown fox.\n");
    expect(toVtt(one("a Donaudampfschiff b"), { maxLineLength: 8 })).toContain("<v Ada>a Donaud\nampfschi\nff b\n");
    expect(toVtt(one("👩‍👩‍👧‍👦👩‍👩‍👧‍👦"), { maxLineLength: 12 })).toContain("<v Ada>👩‍👩‍👧‍👦\n👩‍👩‍👧‍👦\n");
  });

  it("keep every line within maxLineLength", () => {
    fc.assert(
      fc.property(plainTranscript, fc.integer({ min: 5, max: 60 }), (transcript, maxLineLength) => {
        const lines = readWebVtt(toVtt(transcript, { maxLineLength })).cues.flatMap(({ text }) => text.split("\n"));
        for (const line of lines) expect(line.length).toBeLessThanOrEqual(maxLineLength);
        const srt = toSrt(transcript, { maxLineLength }).split("\n");
        for (const line of srt) if (!line.includes("-->")) expect(line.length).toBeLessThanOrEqual(maxLineLength);
      }),
    );
  });

  it.each([
    { maxLineLength: 0 },
    { maxCueSeconds: -1 },
    { maxCueSeconds: Number.NaN },
    { minDurationSeconds: -1 },
    { mergeGapSeconds: -1 },
  ])("reject %o", (options) => {
    const [name] = Object.keys(options);
    expect(() => toVtt(one("Hi"), options)).toThrow(new RegExp(`^${name}: expected a number of at least`));
    expect(() => toSrt(one("Hi"), options)).toThrow(RangeError);
  });
});
