import { type CaptionOptions, checkCaptionOptions } from "./caption-options.js";
import { cues } from "./cues.js";
import { formatTimestamp } from "./format-time.js";
import type { SpokenTranscript } from "./types.js";
import { wrapLines } from "./wrap-lines.js";

const escapeVtt = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** A name that ends in `--` would form an arrow with the `>` of the tag. Players remove the space. */
const voiceTag = (name: string) => `<v ${escapeVtt(name)}${name.endsWith("--") ? " " : ""}>`;

/**
 * A transcript as WebVTT captions (`.vtt`), each with the speaker in a voice tag (`<v Name>`). Text and names are
 * escaped. No cue settings are written, so the player decides where to show captions.
 *
 * @example
 * toVtt(transcript, { maxLineLength: 42, maxCueSeconds: 7 });
 *
 * @throws RangeError for an option that is not a number, or below its minimum.
 * @throws TypeError for an unknown option.
 */
export function toVtt(transcript: SpokenTranscript, options?: CaptionOptions): string {
  const limits = checkCaptionOptions(options);
  const captions = cues(transcript, limits).map(({ start_time, end_time, speaker_name, text }) => {
    const shown = voiceTag(speaker_name) + escapeVtt(wrapLines(text, limits.maxLineLength));
    return `\n${formatTimestamp(start_time, ".")} --> ${formatTimestamp(end_time, ".")}\n${shown}\n`;
  });
  return `WEBVTT\n${captions.join("")}`;
}
