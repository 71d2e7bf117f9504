import { textOf } from "../json/text-of.js";
import { NO_LIMIT } from "./check-arguments.js";
import { SPACELESS } from "./split-text.js";
import { timeline } from "./timeline.js";
import { type JoinedTurn, joinSegments } from "./turns.js";
import type { SpokenTranscript, Turn } from "./types.js";

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
 * its Unicode form (`é` in one or two code points, wide letters), its kind of apostrophe (`’` or `'`), the kind and
 * number of its spaces, and spaces beside a character of a script without spaces (`3 月` is `3月`). A regular expression
 * is used with its own flags. Empty matches are left out.
 * @example
 * for (const { match, start_time, turn } of search(transcript, /budget \d+/i)) { … }
 * @throws TypeError for a query that is empty or only spaces, or neither a text nor a regular expression.
 */
export function search(transcript: SpokenTranscript, query: string | RegExp): SearchMatch[] {
  const isQuery = typeof query === "string" ? query.trim() !== "" : typeof query?.source === "string";
  if (!isQuery) {
    throw new TypeError(`query: expected a text or a regular expression, received ${textOf(query)}`);
  }
  return matchesIn(composedTurns(transcript), typeof query === "string" ? findText(query) : findPattern(query));
}

/** The turns with their text in composed form. */
export const composedTurns = (transcript: SpokenTranscript): JoinedTurn[] =>
  joinSegments(
    timeline(transcript).map((segment) => ({ ...segment, text: segment.text.normalize() })),
    () => true,
  );

/** The matches that `find` lists in the text of each turn. */
export const matchesIn = (turns: readonly JoinedTurn[], find: (text: string) => readonly FoundText[]): SearchMatch[] =>
  turns.flatMap(({ turn, segments, starts }) => {
    const segmentAt = (index: number) => segments[lastUntil(starts, index)];
    return find(turn.text).map(({ index, length }) => ({
      match: turn.text.slice(index, index + length),
      index,
      start_time: segmentAt(index)?.start_time ?? turn.start_time,
      end_time: segmentAt(index + length - 1)?.end_time ?? turn.end_time,
      turn,
    }));
  });

/** Where the last of these sorted starts is that is not behind the index. */
function lastUntil(starts: readonly number[], index: number): number {
  let low = 0;
  for (let high = starts.length - 1; low < high; ) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? NO_LIMIT) <= index) low = middle;
    else high = middle - 1;
  }
  return low;
}

export interface FoundText {
  readonly index: number;
  readonly length: number;
}

/** Regardless of case, width and apostrophe; `ı` is `i`. Characters keep their length, and so their index. */
export const fold = (text: string) =>
  text
    .replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replaceAll("İ", "i")
    .toLowerCase()
    .replace(/[ıς‘’‛ʼʻ׳]/g, (letter) => ({ ı: "i", ς: "σ" })[letter] ?? "'");

/** One space for each run of white space, none beside a script without spaces; and each character's index. */
function withPlainSpaces(text: string) {
  const places: number[] = [];
  const parts = Array.from(text.matchAll(/\s+|\S+/g), ({ 0: run, index }) => {
    const end = index + run.length;
    const beside = [[...text.slice(Math.max(0, index - 2), index)].at(-1), [...text.slice(end, end + 2)][0]];
    const space = beside.some((character = "") => SPACELESS.test(character)) ? "" : " ";
    const part = run.trim() || space;
    for (let at = 0; at < part.length; at += 1) places.push(index + at);
    return part;
  });
  return { joined: parts.join(""), places };
}

/** Returns a function that lists the matches of `query` in a text. The matches do not overlap. */
export function findText(query: string): (text: string) => FoundText[] {
  const { joined: wanted } = withPlainSpaces(fold(query.normalize()));
  const { length } = wanted;
  return (text) => {
    const { joined, places } = withPlainSpaces(fold(text));
    const found: FoundText[] = [];
    for (let at = joined.indexOf(wanted); at !== -1; at = joined.indexOf(wanted, at + length)) {
      const index = places[at] ?? 0;
      found.push({ index, length: (places[at + length - 1] ?? 0) + 1 - index });
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
