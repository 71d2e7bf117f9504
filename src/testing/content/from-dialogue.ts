/** Turns a conversation into the transcript, the summary and the action items that the service would make. */

import { ASSUMED_DOCUMENT_TITLES, type DocumentTitles } from "../../assumptions.js";
import type { Segment } from "../../schemas/transcript.js";
import { newId, type RandomState } from "../state/random.js";
import type { Block, TranscriptRecord } from "../state/records.js";
import type { Dialogue } from "./dialogues.js";

/** How fast people speak, to compute the times of a transcript. */
export const CHARACTERS_PER_SECOND = 16;

export interface Pace {
  /** When the first line begins, in seconds. */
  startSeconds: number;
  /** The pause between two lines, in seconds. */
  gapSeconds: number;
  /** How long it takes to say `text`, in seconds. */
  lineSeconds: (text: string) => number;
}

/** The lines as segments of a transcript, with their start and end times. */
export function segmentsOf(lines: readonly Pick<Segment, "speaker_id" | "text">[], pace: Pace): Segment[] {
  let time = pace.startSeconds;
  return lines.map(({ speaker_id, text }) => {
    const start_time = toHundredths(time);
    time += pace.lineSeconds(text);
    const end_time = toHundredths(time);
    time += pace.gapSeconds;
    return { speaker_id, start_time, end_time, text };
  });
}

const toHundredths = (seconds: number) => Math.round(seconds * 100) / 100;

const NATURAL_PACE: Pace = {
  startSeconds: 0.4,
  gapSeconds: 0.6,
  lineSeconds: (text) => text.length / CHARACTERS_PER_SECOND,
};

/** The dialogue as a transcript. The first speaker gets the first of `names`, and so on. */
export function transcriptFromDialogue(
  random: RandomState,
  dialogue: Dialogue,
  names: readonly string[],
  language: string,
): TranscriptRecord {
  const speakers = names.map((name) => ({ id: newId(random, "spk_"), name }));
  const ids = speakers.map(({ id }) => id);
  const lines = dialogue.lines.map(([speaker, text]) => ({
    speaker_id: ids[speaker % ids.length] ?? ("spk_unknown" as const),
    text,
  }));
  return { language, speakers, segments: segmentsOf(lines, NATURAL_PACE) };
}

/** The summary and the action items that the service would make for a meeting with this title. */
export const documentsFromDialogue = (
  title: string,
  dialogue: Dialogue,
  titles: DocumentTitles = ASSUMED_DOCUMENT_TITLES,
): { title: string; blocks: Block[] }[] => [
  {
    title: `${title}: ${titles.summary}`,
    blocks: [
      { type: "heading", level: 1, text: title },
      { type: "heading", level: 2, text: "Summary" },
      { type: "paragraph", text: dialogue.summary },
    ],
  },
  {
    title: `${title}: ${titles.action_items}`,
    blocks: [
      { type: "heading", level: 1, text: "Action items" },
      { type: "list", items: [...dialogue.actions] },
    ],
  },
];
