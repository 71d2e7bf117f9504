/**
 * Each text form of one hostile meeting, in a file for people to read. Update the files with `npx vitest -u`, and check
 * the difference.
 */
import { describe, expect, it } from "vitest";
import { chunks, toMarkdown, toSrt, toText, toVtt } from "../../src/transcript/index.js";
import { hostile } from "./fixture.js";

const captions = { maxLineLength: 32, maxCueSeconds: 6 };

it.each([
  ["text.golden.txt", toText(hostile)],
  ["markdown.golden.md", toMarkdown(hostile)],
  [
    "front-matter.golden.md",
    toMarkdown(hostile, {
      title: "Q3 *review*: #1\n---",
      maxGapSeconds: 60,
      frontMatter: {
        id: hostile.meeting_id,
        title: 'Q3 "review": #1\n---',
        date: "2026-01-31T09:00:00Z",
        minutes: 61,
        final: true,
        host: null,
        participants: ["Ada Lovelace", "no", "- x: y"],
        "two words": "\u2028",
        yes: "yes",
        room: undefined,
      },
    }),
  ],
  ["plain.golden.srt", toSrt(hostile)],
  ["split.golden.srt", toSrt(hostile, captions)],
  ["plain.golden.vtt", toVtt(hostile)],
  ["split.golden.vtt", toVtt(hostile, captions)],
  [
    "chunks.golden.txt",
    chunks(hostile, { maxTokens: 160, countTokens: (text) => text.length, overlapTurns: 1 })
      .map(({ text, overlap, tokens }) => `=== ${tokens} characters, ${overlap} repeated\n${text}\n`)
      .join("\n"),
  ],
])("a hostile meeting as text is the content of %s", async (file, form) => {
  await expect(form).toMatchFileSnapshot(file);
});

describe("a meeting without any words", () => {
  it.each([
    ["text", toText, ""],
    ["Markdown", toMarkdown, ""],
    ["SubRip", toSrt, ""],
    ["WebVTT", toVtt, "WEBVTT\n"],
  ])("causes only the text that the format requires: %s", (_, form, expected) => {
    expect(form({ speakers: [], segments: [] })).toBe(expected);
    expect(form({ speakers: [], segments: [{ speaker_id: "spk_1", start_time: 0, end_time: 1, text: "\n" }] })).toBe(
      expected,
    );
  });

  it("has no chunks", () => {
    expect(chunks({ speakers: [], segments: [] }, { maxTokens: 10, countTokens: () => 1 })).toEqual([]);
  });
});

describe("toText()", () => {
  it("writes one line for each segment, whatever its text", () => {
    expect(toText(hostile).trimEnd().split("\n")).toHaveLength(hostile.segments.length - 1);
  });

  it("writes as many digits for the hours as they need", () => {
    const late = { speaker_id: "spk_1", start_time: 360_000, end_time: 360_001, text: "Still here." } as const;
    expect(toText({ speakers: [], segments: [late] })).toBe("[100:00:00] spk_1: Still here.\n");
  });
});
