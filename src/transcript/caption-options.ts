import { checkOptions, NO_LIMIT, type NumberRules } from "./check-options.js";

/** Options of `toSrt` and `toVtt`. Each is off by default. */
export interface CaptionOptions {
  /**
   * The longest line, in UTF-16 units; in SRT, the speaker's name counts as well. Longer lines are broken between
   * words, and a word that is longer than a line is cut. Default: no line is broken.
   */
  maxLineLength?: number | undefined;
  /**
   * The longest time that a caption is shown, in seconds. A longer segment becomes several captions, cut between words,
   * with interpolated times. Default: one caption for each segment.
   */
  maxCueSeconds?: number | undefined;
  /**
   * The shortest time that a caption is shown, in seconds, but not beyond the start of the next one, and never longer
   * than `maxCueSeconds`. Default: a caption is shown for as long as its segment lasts.
   */
  minDurationSeconds?: number | undefined;
  /**
   * Joins consecutive segments of one speaker with at most this many seconds between them, as long as the caption does
   * not become longer than `maxCueSeconds`: for transcripts with a segment for each word. Default: none are joined.
   */
  mergeGapSeconds?: number | undefined;
}

const CAPTION_RULES: NumberRules<keyof CaptionOptions> = {
  maxLineLength: [1, NO_LIMIT],
  maxCueSeconds: [0, NO_LIMIT],
  minDurationSeconds: [0, 0],
  mergeGapSeconds: [0, -NO_LIMIT],
};

/** The options of captions as numbers, with defaults that change nothing. */
export type CaptionLimits = { [Name in keyof Required<CaptionOptions>]: number };

export const checkCaptionOptions = (options: CaptionOptions = {}): CaptionLimits =>
  checkOptions(options, CAPTION_RULES);
