import { type CaptionOptions, checkCaptionOptions } from "./caption-options.js";
import { cues } from "./cues.js";
import { formatTimestamp } from "./format-time.js";
import type { SpokenTranscript } from "./types.js";
import { wrapLines } from "./wrap-lines.js";

/** Shortens an arrow of any length (`-->`, `---->`) to `->`. Each run of dashes is read once, with or without a `>`. */
const shortenArrows = (text: string) => text.replace(/-{2,}>?/g, (run) => (run.endsWith(">") ? "->" : run));

/**
 * A transcript as SubRip captions (`.srt`), each with the speaker's name before the text. The format has no escapes. So
 * an arrow, which would end a caption, is shortened (`-->` becomes `->`). Other text is not changed.
 *
 * @example
 * toSrt(transcript, { maxLineLength: 42, maxCueSeconds: 7 });
 *
 * @throws RangeError for an option that is not a number, or below its minimum.
 * @throws TypeError for an unknown option.
 */
export function toSrt(transcript: SpokenTranscript, options?: CaptionOptions): string {
  const limits = checkCaptionOptions(options);
  return cues(transcript, limits)
    .map(({ start_time, end_time, speaker_name, text }, index) => {
      const shown = wrapLines(shortenArrows(`${speaker_name}: ${text}`), limits.maxLineLength);
      return `${index + 1}\n${formatTimestamp(start_time, ",")} --> ${formatTimestamp(end_time, ",")}\n${shown}\n`;
    })
    .join("\n");
}
