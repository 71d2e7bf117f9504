/** The lines of a conversation, in a builder, in a seed or in the emulator's own dialogues. */
import type { Segment, Speaker } from "../../schemas/transcript.js";
import { EmulatorError } from "../emulator-error.js";

/** A line with its speaker: `"Ada: Good morning."` or `["Ada", "Good morning."]`. */
export type TranscriptLine = string | readonly [speaker: string, text: string];

export const EXPECTED_LINE = 'a speaker, a colon and a text, such as "Ada: Good morning."';

/** The speaker and the text of a line; `undefined` if the value is no line. */
export function lineParts(line: unknown): readonly [speaker: string, text: string] | undefined {
  if (typeof line !== "string") {
    const isPair = Array.isArray(line) && line.length === 2 && line.every((part) => typeof part === "string");
    return isPair ? (line as [string, string]) : undefined;
  }
  const [, speaker, text] = /^([^:]+):\s*(\S.*)$/s.exec(line) ?? [];
  return speaker === undefined || text === undefined ? undefined : [speaker, text];
}

/** How fast people speak. */
const SPOKEN_PER_SECOND = 16;

const numberedId = (index: number): Speaker["id"] => `spk_${index + 1}`;

/** The speakers and the segments of these lines. Times are whole seconds, so that a test can predict them. */
export function spoken(lines: readonly TranscriptLine[], newId = numberedId) {
  const speakers = new Map<string, Speaker>();
  let time = 0;
  const segments = lines.map((line): Segment => {
    const [name, text] = lineParts(line) ?? [];
    if (name === undefined || text === undefined) throw new EmulatorError(`aTranscript: expected ${EXPECTED_LINE}`);
    const speaker = speakers.get(name) ?? { id: newId(speakers.size), name };
    speakers.set(name, speaker);
    const start_time = time;
    time += Math.max(1, Math.round(text.length / SPOKEN_PER_SECOND));
    return { speaker_id: speaker.id, start_time, end_time: time, text };
  });
  return { speakers: [...speakers.values()], segments };
}
