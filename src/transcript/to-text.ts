import { checkNumbers } from "./check-arguments.js";
import { formatTimestamp } from "./format-time.js";
import { timeline } from "./timeline.js";
import type { SpokenTranscript, Turn } from "./types.js";

/** `[00:00:04] Name: text` */
export const textLine = ({ start_time, speaker_name, text }: Turn) =>
  `[${formatTimestamp(start_time)}] ${speaker_name}: ${text}`;

/**
 * A transcript as plain text: for each segment a line `[00:00:04] Name: text`. It has no options.
 * @example
 * toText(transcript);
 * toText({ ...transcript, segments: turns(transcript) }); // a line for each turn
 */
export function toText(transcript: SpokenTranscript): string;
export function toText(transcript: SpokenTranscript, options: object = {}): string {
  checkNumbers(options, {});
  return timeline(transcript)
    .map((line) => `${textLine(line)}\n`)
    .join("");
}
