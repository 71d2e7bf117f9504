import { clock } from "./clock.js";
import { speakerNames } from "./speaker-name.js";
import type { SpokenTranscript, Turn } from "./spoken.js";
import { timeline } from "./timeline.js";

/** `[00:00:04] Name: text` */
export const textLine = ({ start_time, speaker_name, text }: Turn) => `[${clock(start_time)}] ${speaker_name}: ${text}`;

/**
 * Plain text: for each segment a line `[00:00:04] Name: text`.
 *
 * @example
 * toText(transcript);
 * toText({ ...transcript, segments: turns(transcript) }); // a line for each turn
 */
export function toText(transcript: SpokenTranscript): string {
  const name = speakerNames(transcript);
  return timeline(transcript)
    .map((segment) => `${textLine({ ...segment, speaker_name: name(segment.speaker_id) })}\n`)
    .join("");
}
