/** The lines of a conversation, in a builder or in a seed. */
import type { Segment, Speaker } from "../../schemas/transcript.js";
import { SPOKEN_PER_SECOND, segmentsOf } from "../content/dialogues.js";
import { EmulatorError } from "../emulator-error.js";

/** A line with its speaker: `"Ada: Good morning."` or `["Ada", "Good morning."]`. */
export type TranscriptLine = string | readonly [speaker: string, text: string];

export const EXPECTED_LINE = 'a speaker, a colon and a text, such as "Ada: Good morning."';

/** The speaker and the text of a line; `undefined` if the value is no line. */
export function partsOf(line: unknown): readonly [speaker: string, text: string] | undefined {
  if (typeof line !== "string") {
    const isPair = Array.isArray(line) && line.length === 2 && line.every((part) => typeof part === "string");
    return isPair ? (line as [string, string]) : undefined;
  }
  const [, speaker, text] = /^([^:]+):\s*(\S.*)$/s.exec(line) ?? [];
  return speaker === undefined || text === undefined ? undefined : [speaker, text];
}

/** Times in whole seconds, so that a test can predict them. */
const WHOLE_SECONDS = {
  startSeconds: 0,
  gapSeconds: 0,
  lineSeconds: (text: string) => Math.max(1, Math.round(text.length / SPOKEN_PER_SECOND)),
};

/** The speakers and the segments of these lines. A longer line takes longer. */
export function spoken(lines: readonly TranscriptLine[]): { speakers: Speaker[]; segments: Segment[] } {
  const parts = lines.map((line) => {
    const found = partsOf(line);
    if (found === undefined) throw new EmulatorError(`aTranscript: expected ${EXPECTED_LINE}`);
    return found;
  });
  const names = [...new Set(parts.map(([speaker]) => speaker))];
  const said = parts.map(([speaker, text]) => ({ speaker_id: `spk_${names.indexOf(speaker) + 1}` as const, text }));
  return {
    speakers: names.map((name, index) => ({ id: `spk_${index + 1}` as const, name })),
    segments: segmentsOf(said, WHOLE_SECONDS),
  };
}
