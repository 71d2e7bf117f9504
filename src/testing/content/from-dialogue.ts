/** Makes what the service's own machines make: transcripts, summaries and notes. */

import { newId, type RandomState } from "../state/random.js";
import type { Block, TranscriptRecord } from "../state/records.js";
import type { Dialogue } from "./dialogues.js";

/** The dialogue as a transcript: the time that each line takes follows from its length. */
export function transcriptFromDialogue(
  random: RandomState,
  dialogue: Dialogue,
  names: readonly string[],
  language: string,
): TranscriptRecord {
  const speakers = names.map((name) => ({ id: newId(random, "spk_"), name }));
  let time = 0.4;
  const segments = dialogue.lines.map(([speaker, text]) => {
    const start_time = round(time);
    time += text.length / 16;
    const end_time = round(time);
    time += 0.6;
    return { speaker_id: speakers[speaker % speakers.length]!.id, start_time, end_time, text };
  });
  return { language, speakers, segments };
}

const round = (seconds: number) => Math.round(seconds * 100) / 100;

export const summaryBlocks = (title: string, dialogue: Dialogue): Block[] => [
  { type: "heading", level: 1, text: title },
  { type: "heading", level: 2, text: "Summary" },
  { type: "paragraph", text: dialogue.summary },
];

export const actionBlocks = (dialogue: Dialogue): Block[] => [
  { type: "heading", level: 1, text: "Action items" },
  { type: "list", items: [...dialogue.actions] },
];
