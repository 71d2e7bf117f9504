import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ChunkOptions, chunks, turns } from "../../src/transcript/index.js";
import { anyTranscript, plainTranscript } from "./arbitrary.js";
import { said } from "./fixture.js";

const countTokens = (text: string) => Math.ceil(text.length / 4);
const anyOptions = fc.record({
  maxTokens: fc.integer({ min: 60, max: 200 }),
  overlapTurns: fc.integer({ min: 0, max: 4 }),
});
const lettersOf = (all: readonly { text: string }[]) => all.map(({ text }) => text.replace(/\s+/g, "")).join("");
const newTurns = (found: ReturnType<typeof chunks>) => found.flatMap((chunk) => chunk.turns.slice(chunk.overlap));

/** Ada and Bob speak in turn, ten seconds each. */
const speech = (...texts: string[]) =>
  said(...texts.map((text, index) => [index * 10, index * 10 + 10, text, index % 2 ? 2 : 1] as const));
const characters = { countTokens: (text: string) => text.length };
const line = "[00:00:00] Ada: ".length;

describe("chunks()", () => {
  it("returns whole turns, as many per chunk as fit", () => {
    const found = chunks(speech("one", "two", "three"), { ...characters, maxTokens: 40 });
    expect(found.map(({ text }) => text)).toEqual([
      "[00:00:00] Ada: one\n[00:00:10] Bob: two",
      "[00:00:20] Ada: three",
    ]);
    const [first] = found;
    expect(first).toMatchObject({ tokens: 39, start_time: 0, end_time: 20, overlap: 0, speakers: ["Ada", "Bob"] });
    expect(found[0]?.turns).toEqual(turns(speech("one", "two")));
  });

  it("starts a chunk with the last turns of the previous one, if they leave room for new text", () => {
    const options = { ...characters, maxTokens: 64, overlapTurns: 2 };
    const found = chunks(speech("one", "two", "three", "four", "x".repeat(8), "y"), options);
    expect(found.map((chunk) => [chunk.overlap, chunk.turns.map(({ text }) => text).join(" ")])).toEqual([
      [0, "one two three"],
      [1, "three four"],
      [1, "four xxxxxxxx y"],
    ]);
  });

  it("splits a turn that does not fit between sentences, with interpolated times", () => {
    const found = chunks(speech("First one here. Second is longer. Third."), { ...characters, maxTokens: line + 18 });
    expect(found.map(({ text }) => text)).toEqual([
      "[00:00:00] Ada: First one here.",
      "[00:00:04] Ada: Second is longer.",
      "[00:00:08] Ada: Third.",
    ]);
    expect(found.map(({ start_time, end_time }) => [start_time, end_time])).toEqual([
      [0, 4],
      [4, 8.5],
      [8.5, 10],
    ]);
  });

  it("splits a sentence that does not fit between words, and a word between characters", () => {
    const found = chunks(speech("go Donaudampfschiff now 👩‍👩‍👧‍👦"), { ...characters, maxTokens: line + 11 });
    expect(found.flatMap((chunk) => chunk.turns.map(({ text }) => text))).toEqual([
      "go",
      "Donaudampfs",
      "chiff",
      "now",
      "👩‍👩‍👧‍👦",
    ]);
  });

  it("never exceeds maxTokens, and returns every word once and in order, for any transcript", () => {
    fc.assert(
      fc.property(plainTranscript, anyOptions, (transcript, options) => {
        const found = chunks(transcript, { ...options, countTokens });
        for (const { text, tokens } of found) {
          expect(tokens).toBe(countTokens(text));
          expect(tokens).toBeLessThanOrEqual(options.maxTokens);
        }
        expect(lettersOf(newTurns(found))).toBe(lettersOf(turns(transcript)));
      }),
    );
  });

  it("repeats at most half of maxTokens, so that the chunks together stay near the length of the transcript", () => {
    const transcript = speech(...Array.from({ length: 2_000 }, (_, index) => `sentence number ${index}`));
    const found = chunks(transcript, { ...characters, maxTokens: 1_000, overlapTurns: 1_000 });
    const whole = chunks(transcript, { ...characters, maxTokens: 1e9 })[0]?.tokens ?? 0;
    expect(found.reduce((sum, { tokens }) => sum + tokens, 0)).toBeLessThan(whole * 2.5);
    expect(found.some(({ overlap }) => overlap > 5)).toBe(true);
  });

  it("repeats exactly the overlapping turns that it reports, and always adds new text", () => {
    fc.assert(
      fc.property(anyTranscript, anyOptions, (transcript, { overlapTurns }) => {
        const found = chunks(transcript, { maxTokens: 400, countTokens, overlapTurns });
        found.forEach((chunk, index) => {
          expect(chunk.overlap).toBeLessThanOrEqual(overlapTurns);
          expect(chunk.overlap).toBeLessThan(chunk.turns.length);
          const before = found[index - 1]?.turns ?? [];
          expect(chunk.turns.slice(0, chunk.overlap)).toEqual(before.slice(before.length - chunk.overlap));
          expect(chunk.start_time).toBe(chunk.turns[0]?.start_time);
          expect(chunk.end_time).toBe(Math.max(...chunk.turns.map(({ end_time }) => end_time)));
        });
      }),
    );
  });

  it("fits even if a text has more tokens than its parts together", () => {
    fc.assert(
      fc.property(plainTranscript, fc.integer({ min: 40, max: 120 }), (transcript, maxTokens) => {
        // Each line break costs five times as much as the lines alone would suggest.
        const superadditive = (text: string) => countTokens(text) + 5 * (text.trimEnd().split("\n").length - 1);
        const found = chunks(transcript, { maxTokens, countTokens: superadditive, overlapTurns: 2 });
        for (const { text } of found) expect(superadditive(text)).toBeLessThanOrEqual(maxTokens);
        expect(lettersOf(newTurns(found))).toBe(lettersOf(turns(transcript)));
      }),
    );
  });

  it("writes each turn with the option line", () => {
    const line = ({ speaker_name, text }: { speaker_name: string; text: string }) => `${speaker_name} said ${text}`;
    const found = chunks(speech("one", "two", "three"), { ...characters, maxTokens: 30, line });
    expect(found.map(({ text }) => text)).toEqual(["Ada said one\nBob said two", "Ada said three"]);
    expect(found.map(({ tokens }) => tokens)).toEqual([25, 14]);
  });

  it("splits a turn again if its parts have more tokens as lines than as text", () => {
    const twice = ({ text }: { text: string }) => `${text} ${text}`;
    const found = chunks(speech("one two three four five"), { ...characters, maxTokens: 19, line: twice });
    expect(newTurns(found).map(({ text }) => text)).toEqual(["one two", "three", "four five"]);
  });

  it("returns one chunk if the whole transcript fits, also one of zero tokens", () => {
    expect(chunks(speech("one", "two"), { maxTokens: 1e6, countTokens, overlapTurns: 5 })).toHaveLength(1);
    expect(chunks(speech("one", "two"), { maxTokens: 1, countTokens: () => 0 })).toHaveLength(1);
  });

  it("uses the options of turns()", () => {
    const monologue = { ...speech("one", "two"), segments: speech("one", "", "two").segments };
    expect(chunks(monologue, { maxTokens: 100, countTokens })[0]?.turns).toHaveLength(1);
    expect(chunks(monologue, { maxTokens: 100, countTokens, maxGapSeconds: 5 })[0]?.turns).toHaveLength(2);
  });

  it.each([
    [{ maxTokens: 4, countTokens }, RangeError, /^maxTokens: expected room for a character/],
    [{ maxTokens: line + 4, ...characters }, RangeError, /^maxTokens: expected room for a character/],
    [{ maxTokens: 0, countTokens }, RangeError, /^maxTokens: expected a number of at least 1/],
    [{ countTokens }, RangeError, /^maxTokens: expected/],
    [{ maxTokens: 50, countTokens, overlapTurns: -1 }, RangeError, /^overlapTurns: expected/],
    [{ maxTokens: 50 }, TypeError, /^countTokens: expected a function/],
    [{ maxTokens: 50, countTokens: async () => 1 }, TypeError, /^countTokens: expected a function/],
    [{ maxTokens: 50, countTokens: () => Number.NaN }, TypeError, /^countTokens: expected a function/],
    [{ maxTokens: 50, countTokens: () => -1 }, TypeError, /^countTokens: .* returns a number, received -1$/],
    [{ maxTokens: 50, countTokens, line: "x" }, TypeError, /^line: expected a function that returns a string/],
    [{ maxTokens: 50, countTokens, line: async () => "x" }, TypeError, /^line: expected a function/],
  ])("rejects %o", (options, kind, message) => {
    const call = () => chunks(speech("one two three 👩‍👩‍👧‍👦"), options as unknown as ChunkOptions);
    expect(call).toThrow(kind);
    expect(call).toThrow(message);
  });
});
