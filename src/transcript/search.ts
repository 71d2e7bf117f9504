import type { Spoken, SpokenTranscript, Turn } from "./spoken.js";
import { turnsWithSegments } from "./turns.js";

export interface SearchMatch {
  /** The text that was found. */
  match: string;
  /** Where it begins in `turn.text`. */
  index: number;
  /** When the segment starts in which the match begins, in seconds. */
  start_time: number;
  /** When the segment ends in which the match ends, in seconds. */
  end_time: number;
  /** The whole turn around it. */
  turn: Turn;
}

/**
 * Every place where `query` was said, in order. A text is found whatever its case, also where it goes over from one segment of a
 * speaker to the next; a regular expression is used with its own flags. Matches without length are left out.
 *
 * @example
 * for (const { match, start_time, turn } of search(transcript, /budget \d+/i)) { … }
 *
 * @throws TypeError for a query that is neither text nor a regular expression, or is empty.
 */
export function search(transcript: SpokenTranscript, query: string | RegExp): SearchMatch[] {
  const isText = typeof query === "string";
  const source = isText ? query.replace(/[$()*+./?[\\\]^{|}]/g, "\\$&") : query?.source;
  if (!source) throw new TypeError("query: expected a text or a regular expression");
  const pattern = new RegExp(source, isText ? "giu" : [...new Set(`${query.flags}g`)].join(""));
  return turnsWithSegments(transcript).flatMap(({ turn, parts }) => {
    let part = 0;
    let from = 0;
    /** The segment at `index` of the turn's text. Matches come in order, so each turn is walked once. */
    const segmentAt = (index: number): Spoken => {
      for (let one = parts[part] as Spoken; index >= from + one.text.length + 1; one = parts[++part] as Spoken)
        from += one.text.length + 1;
      return parts[part] as Spoken;
    };
    return [...turn.text.matchAll(pattern)].flatMap(({ 0: match, index }) =>
      match === ""
        ? []
        : {
            match,
            index,
            start_time: segmentAt(index).start_time,
            end_time: segmentAt(index + match.length - 1).end_time,
            turn,
          },
    );
  });
}
