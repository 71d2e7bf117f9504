/** Generated transcripts: any text, any times, in any order. */
import fc from "fast-check";
import type { SpokenTranscript } from "../../src/transcript/types.js";

const nasty = [
  ...[
    "-->",
    "--->",
    "\n\n",
    "\r\n",
    "\u2028",
    "\u0085",
    "\0",
    "<v Eve>",
    "</v>",
    "<00:00:01.000>",
    "&amp;",
    "&#62;",
    "&",
  ],
  ...["WEBVTT", "NOTE x", "STYLE", "1", "00:00:01,000 --> 00:00:02,000", "# ", "- ", "1. ", "```", "---", "**", "_"],
  ...["[x](y)", "<b>", "\\", "👩‍👩‍👧‍👦", "日本語の文章です。", "שלום", " ", "word", "Mr. Smith went."],
];

export const hostileText = fc
  .array(fc.oneof(fc.constantFrom(...nasty), fc.string({ unit: "grapheme", maxLength: 12 })), { maxLength: 12 })
  .map((parts) => parts.join(" "));

/** The player's parser, unlike the standard, supports only times below 99 hours. */
const readable = (time: number) => !(time > 350_000 && time < 1e12);

/** Any time that can arrive if responses are not validated. */
const wildTime = fc.oneof(
  { weight: 8, arbitrary: fc.double({ min: 0, max: 20_000, noNaN: true }) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 50 }) },
  { weight: 1, arbitrary: fc.double().filter(readable) },
  { weight: 1, arbitrary: fc.constantFrom(-5, undefined, null, "12", 1e12, -0) as fc.Arbitrary<number> },
);

const speakerIds = ["spk_1", "spk_2", "spk_3", "spk_unlisted"] as const;

const transcriptOf = (
  text: fc.Arbitrary<string>,
  name: fc.Arbitrary<string>,
  maxLength: number,
): fc.Arbitrary<SpokenTranscript> =>
  fc.record({
    speakers: fc
      .tuple(name, name, name)
      .map((names) => names.map((name, index) => ({ id: `spk_${index + 1}` as const, name }))),
    segments: fc.array(
      fc.record({ speaker_id: fc.constantFrom(...speakerIds), start_time: wildTime, end_time: wildTime, text }),
      { maxLength },
    ),
  });

export const anyTranscript = transcriptOf(hostileText, hostileText, 20);

/** Text that a reader can compare word by word. */
export const plainTranscript = transcriptOf(
  fc.lorem({ mode: "sentences", maxCount: 6 }),
  fc.lorem({ maxCount: 2 }),
  12,
);
