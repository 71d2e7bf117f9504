/** A meeting whose words look like the markup of every format, and whose times are invalid in every way. */
import type { Transcript } from "../../src/schemas/transcript.js";

export const hostile: Transcript = {
  meeting_id: "mtg_hostile",
  language: "en",
  speakers: [
    { id: "spk_1", name: "Ada Lovelace" },
    { id: "spk_2", name: "Bobby <v Tables> & --> *Sons*" },
    { id: "spk_3", name: "" },
    { id: "spk_4", name: "王\n小明" },
  ],
  segments: [
    { speaker_id: "spk_1", start_time: 0.25, end_time: 4.5, text: "Good morning. Shall we begin?" },
    { speaker_id: "spk_1", start_time: 4.5, end_time: 9, text: "# First item: the arrow --> and R&D &amp; <script>." },
    {
      speaker_id: "spk_2",
      start_time: 8,
      end_time: 12.0004,
      text: "1. We said\n\n00:00:01,000 --> 00:00:02,000\nNOTE no",
    },
    { speaker_id: "spk_1", start_time: 11, end_time: 11, text: "Mm-hm." },
    {
      speaker_id: "spk_3",
      start_time: 14,
      end_time: 13,
      text: "- my `snake_case_name` is [here](https://example.com) ~~not~~",
    },
    {
      speaker_id: "spk_4",
      start_time: -3,
      end_time: 2,
      text: "　我们开始吧。首先看一下上个季度的数字，然后讨论下一步的计划。 ",
    },
    { speaker_id: "spk_2", start_time: Number.NaN, end_time: 20, text: "==marked== %%hidden%% #tag $x^2$" },
    {
      speaker_id: "spk_9",
      start_time: 3661.5,
      end_time: 3700,
      text: "Nobody listed me 👩‍👩‍👧‍👦 and I talk for long, word after word after word.",
    },
    { speaker_id: "spk_1", start_time: 3700, end_time: 3701, text: " \r\n\t " },
    { speaker_id: "spk_1", start_time: 360_000, end_time: 360_001, text: "---" },
  ],
};

/** What Ada says, or Bob, the second speaker. */
export const said = (...lines: readonly (readonly [start: number, end: number, text: string, speaker?: 1 | 2])[]) => ({
  speakers: [
    { id: "spk_1", name: "Ada" },
    { id: "spk_2", name: "Bob" },
  ] as const,
  segments: lines.map(([start_time, end_time, text, speaker = 1]) => ({
    speaker_id: `spk_${speaker}` as const,
    start_time,
    end_time,
    text,
  })),
});
