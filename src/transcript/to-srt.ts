import { clock } from "./clock.js";
import { type CaptionOptions, cues, wrap } from "./cues.js";
import type { SpokenTranscript } from "./spoken.js";

/**
 * SubRip captions (`.srt`), each with the speaker's name before the text. The format has no escape, so the arrow that
 * would end a caption is shortened (`-->` becomes `->`); the rest is left as it was said.
 *
 * @example
 * toSrt(transcript, { maxLineLength: 42, maxCueSeconds: 7 });
 *
 * @throws RangeError for an option that is not a number, or below its least value.
 */
export const toSrt = (transcript: SpokenTranscript, options?: CaptionOptions): string =>
  cues(transcript, options)
    .map(({ start_time, end_time, speaker_name, text }, index) => {
      const shown = wrap(`${speaker_name}: ${text}`.replace(/-{2,}>/g, "->"), options);
      return `${index + 1}\n${clock(start_time, ",")} --> ${clock(end_time, ",")}\n${shown}\n`;
    })
    .join("\n");
