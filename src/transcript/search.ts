import { NO_LIMIT } from "./check-options.js";
import { type FoundText, findText } from "./find-text.js";
import { timeline } from "./timeline.js";
import { joinSegments } from "./turns.js";
import type { Spoken, SpokenTranscript, Turn } from "./types.js";

/** A place where a query was said. */
export interface SearchMatch {
  /** The text that matched. */
  match: string;
  /** Where it begins in `turn.text`. */
  index: number;
  /** When the segment starts in which the match begins, in seconds. */
  start_time: number;
  /** When the segment ends in which the match ends, in seconds. */
  end_time: number;
  /** The whole turn around it, its text in composed form (NFC). */
  turn: Turn;
}

/**
 * Every place where `query` was said, in order. A text is found whatever its case, its Unicode form (`é` in one or two
 * code points), its apostrophes (`’` or `'`) and its kind of space, also across segments of one speaker. A regular
 * expression is used with its own flags. Matches without length are left out.
 *
 * @example
 * for (const { match, start_time, turn } of search(transcript, /budget \d+/i)) { … }
 *
 * @throws TypeError for a query that is neither text nor a regular expression, or is empty.
 */
export function search(transcript: SpokenTranscript, query: string | RegExp): SearchMatch[] {
  if (!query || !(typeof query === "string" || typeof query.source === "string")) {
    throw new TypeError(`query: expected a text or a regular expression, received ${JSON.stringify(query)}`);
  }
  const find = typeof query === "string" ? findText(query.normalize()) : findPattern(query);
  const composed = timeline(transcript).map((segment) => ({ ...segment, text: segment.text.normalize() }));
  return joinSegments(composed, () => true).flatMap(({ turn, segments, starts }) => {
    let position = 0;
    /** The segment at `index` of the turn's text. Matches come in order, so each turn is walked once. */
    const segmentAt = (index: number): Spoken => {
      while (index >= (starts[position + 1] ?? NO_LIMIT)) position++;
      return segments[position] ?? turn;
    };
    return find(turn.text).map(({ index, length }) => ({
      match: turn.text.slice(index, index + length),
      index,
      start_time: segmentAt(index).start_time,
      end_time: segmentAt(index + length - 1).end_time,
      turn,
    }));
  });
}

function findPattern({ source, flags }: RegExp): (text: string) => FoundText[] {
  const pattern = new RegExp(source.normalize(), [...new Set(`${flags}g`)].join(""));
  return (text) =>
    [...text.matchAll(pattern)]
      .map(({ 0: match, index }) => ({ index, length: match.length }))
      .filter(({ length }) => length);
}
