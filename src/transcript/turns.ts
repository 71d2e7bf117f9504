import { limit } from "./limit.js";
import type { Spoken, SpokenTranscript, Turn } from "./spoken.js";
import { timeline } from "./timeline.js";

export interface TurnOptions {
  /** A pause of more than this begins a new turn, even of the same speaker. Default: none does. */
  maxGapSeconds?: number | undefined;
  /** A segment that would take a turn over this begins a new one; a longer segment is left whole. Default: no limit. */
  maxCharacters?: number | undefined;
}

/**
 * Consecutive segments of one speaker, joined. A turn ends where another speaker begins, also in the middle of an overlap.
 *
 * @example
 * for (const { speaker_name, start_time, text } of turns(transcript, { maxGapSeconds: 10 })) { … }
 *
 * @throws RangeError for an option that is not a number of at least 0.
 */
export const turns = (transcript: SpokenTranscript, options: TurnOptions = {}): Turn[] =>
  turnsWithSegments(transcript, options).map(({ turn }) => turn);

/** Each turn beside the segments that it was made of. */
export function turnsWithSegments(
  transcript: SpokenTranscript,
  { maxGapSeconds, maxCharacters }: TurnOptions = {},
): { turn: Turn; parts: Spoken[] }[] {
  const maxGap = limit("maxGapSeconds", maxGapSeconds);
  const maxLength = limit("maxCharacters", maxCharacters);
  const joined: { turn: Turn; parts: Spoken[] }[] = [];
  for (const segment of timeline(transcript)) {
    const last = joined.at(-1);
    if (
      last?.turn.speaker_id === segment.speaker_id &&
      segment.start_time - last.turn.end_time <= maxGap &&
      last.turn.text.length + 1 + segment.text.length <= maxLength
    ) {
      last.turn.end_time = Math.max(last.turn.end_time, segment.end_time);
      last.turn.text += ` ${segment.text}`;
      last.parts.push(segment);
    } else {
      joined.push({ turn: { ...segment }, parts: [segment] });
    }
  }
  return joined;
}
