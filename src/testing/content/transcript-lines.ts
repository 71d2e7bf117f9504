/** The lines of a conversation, in a builder, in a seed or in the emulator's own dialogues. */
import type { Segment, Speaker } from "../../schemas/transcript.js";
import { EmulatorError } from "../emulator-error.js";

export const EXPECTED_LINE = 'a speaker, a colon and a text, such as "Ada: Good morning."';

export const LINE = /^([^:]+):\s*(\S.*)$/s;

/** How fast people speak. */
const SPOKEN_PER_SECOND = 16;

const numberedId = (index: number): Speaker["id"] => `spk_${index + 1}`;

/** The speakers and the segments of these lines. Times are whole seconds, so that a test can predict them. */
export function spoken(lines: readonly string[], newId = numberedId) {
  const speakers = new Map<string, Speaker>();
  let time = 0;
  const segments = lines.map((line): Segment => {
    const [, name, text] = LINE.exec(line) ?? [];
    if (name === undefined || text === undefined) throw new EmulatorError(`aTranscript: expected ${EXPECTED_LINE}`);
    const speaker = speakers.get(name) ?? { id: newId(speakers.size), name };
    speakers.set(name, speaker);
    const start_time = time;
    time += Math.max(1, Math.round(text.length / SPOKEN_PER_SECOND));
    return { speaker_id: speaker.id, start_time, end_time: time, text };
  });
  return { speakers: [...speakers.values()], segments };
}
