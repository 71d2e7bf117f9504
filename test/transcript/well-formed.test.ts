/** The API of a model refuses half a character, and then each later request of the session: no text has one. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { chunks, findQuotes, search, toMarkdown, toSrt, toText, toVtt, turns } from "../../src/transcript/index.js";
import { said } from "./fixture.js";

const broken = fc.string({ unit: fc.constantFrom("a", " ", ".", "\ud83d", "\ude00", "😀", "会", "\\", "u") });

it("writes well-formed text, whatever the transcript holds", () => {
  fc.assert(
    fc.property(broken, broken, broken, (name, text, title) => {
      const transcript = {
        speakers: [{ id: `spk_${title}` as const, name }],
        segments: [...said([0, 9, text]).segments, { ...said([9, 60, `${text} end`]).segments[0] }].map((segment) => ({
          ...segment,
          speaker_id: `spk_${title}` as const,
        })),
      } as Parameters<typeof toText>[0];
      const captions = { maxLineLength: 3, maxCueSeconds: 2 };
      const joined = turns(transcript);
      const texts = [
        ...[toText(transcript), toSrt(transcript, captions), toVtt(transcript, captions)],
        toMarkdown(transcript, { title, frontMatter: { [title]: text, list: [text] } }),
        JSON.stringify(joined),
        JSON.stringify(chunks(transcript, { maxTokens: 40, countTokens: (part) => part.length })),
        JSON.stringify([search(transcript, "end"), findQuotes(transcript, ["end"])]),
      ];
      for (const written of texts) {
        expect(written).not.toMatch(/(?<!\\)(?:\\\\)*\\ud[89a-f]|\p{Surrogate}/u);
      }
      // A turn is a segment, also of a speaker whose id is broken.
      expect(toText({ ...transcript, segments: joined })).toContain(toText(transcript).slice(0, 10).trimEnd());
    }),
  );
});
