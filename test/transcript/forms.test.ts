/**
 * Each text form of one hostile meeting, in a file for people to read. Update the files with `npx vitest -u`, and check
 * the difference.
 */
import { expect, it } from "vitest";
import { chunks, toMarkdown, toSrt, toText, toVtt } from "../../src/transcript/index.js";
import { hostile, said } from "./fixture.js";

const captions = { maxLineLength: 32, maxCueSeconds: 6 };

it.each([
  ["text.golden.txt", toText(hostile)],
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

it("a meeting without any words causes only the text that a format requires", () => {
  for (const nothing of [said(), said([0, 1, "\n"])]) {
    expect([toText(nothing), toMarkdown(nothing), toSrt(nothing), toVtt(nothing)]).toEqual(["", "", "", "WEBVTT\n"]);
    expect(chunks(nothing, { maxTokens: 10, countTokens: () => 1 })).toEqual([]);
  }
});
