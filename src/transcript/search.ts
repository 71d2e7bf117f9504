import { NO_LIMIT } from "./check-arguments.js";
import { timeline } from "./timeline.js";
import { joinSegments } from "./turns.js";
import type { Spoken, SpokenTranscript, Turn } from "./types.js";

/** One match of a search. */
export interface SearchMatch {
  /** The text that matched. */
  match: string;
  /** The index in `turn.text` at which the match begins. */
  index: number;
  /** The start of the segment in which the match begins, in seconds. */
  start_time: number;
  /** The end of the segment in which the match ends, in seconds. */
  end_time: number;
  /** The whole turn that contains the match, with its text in composed form (NFC). */
  turn: Turn;
}

/**
 * Finds every match of `query`, in order, also across segments of one speaker. A text is found regardless of its case,
 * its Unicode form (`é` in one or two code points), its kind of apostrophe (`’` or `'`) and its kind of space. A
 * regular expression is used with its own flags. Empty matches are left out.
 *
 * @example
 * for (const { match, start_time, turn } of search(transcript, /budget \d+/i)) { … }
 *
 * @throws TypeError for a query that is empty, or neither a text nor a regular expression.
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

/** The position and the length of a match. */
interface FoundText {
  index: number;
  length: number;
}

/**
 * `text` in the form that is compared: regardless of case, kind of apostrophe and kind of space. Each character keeps
 * its length, so an index in the result is also valid in `text`.
 */
const fold = (text: string) =>
  text
    .replaceAll("İ", "i")
    .toLowerCase()
    .replaceAll("ς", "σ")
    .replace(/[‘’]/g, "'")
    .replace(/[\u00a0\u202f]/g, " ");

/** Returns a function that lists the matches of `query` in a text. The matches do not overlap. */
function findText(query: string): (text: string) => FoundText[] {
  const wanted = fold(query);
  const { length } = query;
  return (text) => {
    const folded = fold(text);
    const found: FoundText[] = [];
    for (let index = folded.indexOf(wanted); index !== -1; index = folded.indexOf(wanted, index + length)) {
      found.push({ index, length });
    }
    return found;
  };
}

function findPattern({ source, flags }: RegExp): (text: string) => FoundText[] {
  const pattern = new RegExp(source.normalize(), [...new Set(`${flags}g`)].join(""));
  return (text) =>
    [...text.matchAll(pattern)]
      .map(({ 0: match, index }) => ({ index, length: match.length }))
      .filter(({ length }) => length);
}
