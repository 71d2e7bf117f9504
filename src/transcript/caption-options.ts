import { checkOptions, NO_LIMIT, type NumberRules } from "./check-options.js";

/** Options of `toSrt` and `toVtt`. Each is off by default. */
export interface CaptionOptions {
  /**
   * Breaks lines that are longer, between words; a word that is longer itself is cut. Counted in UTF-16 units, in SRT
   * with the speaker's name. Default: no line is broken.
   */
  maxLineLength?: number | undefined;
  /**
   * Shows what lasts longer in several captions, cut between words, with interpolated times. No caption is shown for
   * longer than this. Default: one caption for each segment.
   */
  maxCueSeconds?: number | undefined;
  /**
   * Shows a caption at least this long, in seconds, but not beyond the start of the next one, and never longer than
   * `maxCueSeconds`. Default: each is shown for as long as its segment lasts.
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

/** The options of captions as numbers that can be compared with. */
export type CaptionLimits = { [Name in keyof Required<CaptionOptions>]: number };

export const checkCaptionOptions = (options: CaptionOptions = {}): CaptionLimits =>
  checkOptions(options, CAPTION_RULES);
