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
    const segmentAt = placeOf(segments, starts);
    return find(turn.text).map(({ index, length }) => ({
      match: turn.text.slice(index, index + length),
      index,
      start_time: segmentAt(index)?.start_time ?? turn.start_time,
      end_time: segmentAt(index + length - 1)?.end_time ?? turn.end_time,
      turn,
    }));
  });
}

/** Returns a function that finds the segment at an index of a turn's text. */
export function placeOf(segments: readonly Spoken[], starts: readonly number[]): (index: number) => Spoken | undefined {
  return (index) => {
    let low = 0;
    for (let high = segments.length - 1; low < high; ) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? NO_LIMIT) <= index) low = middle;
      else high = middle - 1;
    }
    return segments[low];
  };
}

interface FoundText {
  index: number;
  length: number;
}

/**
 * `text` in the form that is compared: regardless of case, kind of apostrophe and kind of space. Each character keeps
 * its length, so an index in the result is also valid in `text`.
 */
export const fold = (text: string) =>
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
