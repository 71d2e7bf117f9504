import { checkOptions, NO_LIMIT, type NumberRules } from "./check-options.js";
import { separator } from "./split-text.js";
import { timeline } from "./timeline.js";
import type { Spoken, SpokenTranscript, Turn } from "./types.js";

/** Where a turn ends, besides where another speaker begins. */
export interface TurnOptions {
  /**
   * A pause of more seconds than this begins a new turn, even of the same speaker. Default: a pause of any length does
   * not.
   */
  maxGapSeconds?: number | undefined;
  /**
   * The longest turn, in UTF-16 units. A segment that would make it longer begins a new turn; a segment that is longer
   * itself is left whole. Default: no limit.
   */
  maxCharacters?: number | undefined;
}

/** A turn beside the segments that it was made of, and where in its text each of them begins. */
export interface JoinedTurn {
  turn: Turn;
  segments: Spoken[];
  starts: number[];
}

/**
 * Consecutive segments of one speaker, joined by a space, or by nothing in a script without spaces. A turn ends where
 * another speaker begins, also in the middle of an overlap.
 *
 * @example
 * for (const { speaker_name, start_time, text } of turns(transcript, { maxGapSeconds: 10 })) { … }
 *
 * @throws RangeError for an option that is not a number of at least 0.
 * @throws TypeError for an unknown option.
 */
export const turns = (transcript: SpokenTranscript, options: TurnOptions = {}): Turn[] =>
  joinTurns(transcript, options).map(({ turn }) => turn);

const TURN_RULES: NumberRules<keyof TurnOptions> = { maxGapSeconds: [0, NO_LIMIT], maxCharacters: [0, NO_LIMIT] };

export function joinTurns(transcript: SpokenTranscript, options: TurnOptions): JoinedTurn[] {
  const { maxGapSeconds, maxCharacters } = checkOptions(options, TURN_RULES);
  return joinSegments(
    timeline(transcript),
    (turn, segment, length) => segment.start_time - turn.end_time <= maxGapSeconds && length <= maxCharacters,
  );
}

/** Joins neighbours of one speaker as long as `fits` accepts a turn, its next segment and the length of both. */
export function joinSegments(
  segments: readonly Turn[],
  fits: (turn: Turn, segment: Turn, length: number) => boolean,
): JoinedTurn[] {
  const joined: JoinedTurn[] = [];
  for (const segment of segments) {
    const last = joined.at(-1);
    // The end of the turn's text is not looked at: that would copy the whole text once for each segment.
    const between = separator(last?.segments.at(-1)?.text ?? "", segment.text);
    if (
      last &&
      last.turn.speaker_id === segment.speaker_id &&
      fits(last.turn, segment, last.turn.text.length + between.length + segment.text.length)
    ) {
      last.turn.end_time = Math.max(last.turn.end_time, segment.end_time);
      last.starts.push(last.turn.text.length + between.length);
      last.turn.text += between + segment.text;
      last.segments.push(segment);
    } else {
      joined.push({ turn: { ...segment }, segments: [segment], starts: [0] });
    }
  }
  return joined;
}
