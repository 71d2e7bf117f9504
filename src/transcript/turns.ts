import { checkNumbers, NO_LIMIT, type NumberRules } from "./check-arguments.js";
import { separator } from "./split-text.js";
import { timeline } from "./timeline.js";
import type { Spoken, SpokenTranscript, Turn } from "./types.js";

/** Options of `turns`: when a turn ends, other than when another speaker begins. */
export interface TurnOptions {
  /** After a pause of more seconds than this, the same speaker begins a new turn. Default: a pause begins none. */
  maxGapSeconds?: number | undefined;
  /** In UTF-16 units: a segment beyond it begins a new turn, and is itself not divided. Default: no limit. */
  maxCharacters?: number | undefined;
}

/** A turn, the segments that it was made of, and the index in its text at which each segment begins. */
export interface JoinedTurn {
  turn: Turn;
  segments: Spoken[];
  starts: number[];
}

/**
 * Joins consecutive segments of one speaker to turns. Between two segments is a space, or nothing in a script without
 * spaces. A turn ends when another speaker begins, even if both speak at the same time.
 * @example
 * for (const { speaker_name, start_time, text } of turns(transcript, { maxGapSeconds: 10 })) { … }
 * @throws RangeError for an option that is not a number of at least 0.
 * @throws TypeError for an unknown option.
 */
export const turns = (transcript: SpokenTranscript, options: TurnOptions = {}): Turn[] =>
  joinTurns(transcript, options).map(({ turn }) => turn);

const TURN_RULES: NumberRules<keyof TurnOptions> = { maxGapSeconds: [0, NO_LIMIT], maxCharacters: [0, NO_LIMIT] };

/** `others` are the names of the caller's own options. */
export function joinTurns(
  transcript: SpokenTranscript,
  options: TurnOptions,
  others?: readonly string[],
): JoinedTurn[] {
  const { maxGapSeconds, maxCharacters } = checkNumbers(options, TURN_RULES, others);
  return joinSegments(
    timeline(transcript),
    (turn, segment, length) => segment.start_time - turn.end_time <= maxGapSeconds && length <= maxCharacters,
  );
}

/** Joins consecutive segments of one speaker while `fits` accepts the turn, the next segment and their joint length. */
export function joinSegments(
  segments: readonly Turn[],
  fits: (turn: Turn, segment: Turn, length: number) => boolean,
): JoinedTurn[] {
  const joined: JoinedTurn[] = [];
  for (const segment of segments) {
    const last = joined.at(-1);
    // Reads the last segment, not the turn's text: reading the end of that would copy the whole text for each segment.
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
