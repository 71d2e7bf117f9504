import { checkOptions, NO_LIMIT, type NumberRules } from "./check-options.js";

/** Options of `toSrt` and `toVtt`. Each is off by default. */
export interface CaptionOptions {
  /**
   * The maximum length of a line, in UTF-16 units; in SRT, the speaker's name counts as well. Longer lines are broken
   * between words. A word that is longer than a line is cut. Default: no line is broken.
   */
  maxLineLength?: number | undefined;
  /**
   * The longest time that a caption is shown, in seconds. A longer segment becomes several captions, cut between words,
   * with interpolated times. Default: one caption for each segment.
   */
  maxCueSeconds?: number | undefined;
  /**
   * The shortest time that a caption is shown, in seconds. A caption is not extended beyond the start of the next
   * caption, or beyond `maxCueSeconds`. Default: a caption is shown for as long as its segment lasts.
   */
  minDurationSeconds?: number | undefined;
  /**
   * Joins consecutive segments of one speaker if at most this many seconds are between them, and if the joined caption
   * is not longer than `maxCueSeconds`. For transcripts with one segment for each word. Default: no segments are
   * joined.
   */
  mergeGapSeconds?: number | undefined;
}

const CAPTION_RULES: NumberRules<keyof CaptionOptions> = {
  maxLineLength: [1, NO_LIMIT],
  maxCueSeconds: [0, NO_LIMIT],
  minDurationSeconds: [0, 0],
  mergeGapSeconds: [0, -NO_LIMIT],
};

/** The options of captions, with their defaults, which change nothing. */
export type CaptionLimits = { [Name in keyof Required<CaptionOptions>]: number };

export const checkCaptionOptions = (options: CaptionOptions = {}): CaptionLimits =>
  checkOptions(options, CAPTION_RULES);
