import { finderAt, fold } from "./search.js";
import { timeline } from "./timeline.js";
import { joinSegments } from "./turns.js";
import type { SpokenTranscript } from "./types.js";

/** The place in a transcript at which a quote was said. */
export interface QuotePlace {
  /** The words as they are in the transcript. */
  text: string;
  /** The start of the segment in which the quote begins, in seconds. */
  start_time: number;
  /** The end of the segment in which the quote ends, in seconds. */
  end_time: number;
  /** The name of the speaker. */
  speaker_name: string;
}

/** A quote, and the first place at which it was said. */
export interface FoundQuote {
  /** The quote, as it was passed. */
  quote: string;
  /** Where it was said; `undefined` if it was not. */
  found: QuotePlace | undefined;
}

interface Word {
  word: string;
  index: number;
  end: number;
}

/** Letters, digits and their marks, with apostrophes and invisible characters between them. */
const WORD = /[\p{L}\p{M}\p{N}](?:['‘’ʼ＇`´\p{Cf}]*[\p{L}\p{M}\p{N}])*/gu;
const IGNORED = /['‘’ʼ＇`´\p{Cf}\p{Variation_Selector}]/gu;
/** A character of a script without spaces, with its marks; or what stands between such characters: `AI` in `用AI做`. */
const PART =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]\p{M}*|[^\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]+/gu;

/** The words of a text, in the form that is compared. In a script without spaces, each character is a word. */
function wordsOf(text: string): Word[] {
  return [...text.matchAll(WORD)].flatMap(({ 0: match, index }) =>
    [...match.matchAll(PART)].flatMap(({ 0: part, index: offset }) => {
      const word = fold(part.normalize()).replace(IGNORED, "");
      const from = index + offset;
      return word === "" ? [] : [{ word, index: from, end: from + part.length }];
    }),
  );
}

/** What has been read of one or more quotes (Aho and Corasick): all quotes are found in one pass. */
interface QuoteState {
  readonly next: Map<string, QuoteState>;
  readonly depth: number;
  readonly quotes: number[];
  /** The state of the longest shorter ending that also begins a quote. */
  shorter: QuoteState | undefined;
  isReported: boolean;
}

const newQuoteState = (depth: number): QuoteState => ({
  ...{ next: new Map(), depth, quotes: [], shorter: undefined, isReported: false },
});

function follow(state: QuoteState, word: string): QuoteState {
  let from: QuoteState | undefined = state;
  while (from && !from.next.has(word) && from.shorter) from = from.shorter;
  return from?.next.get(word) ?? from ?? state;
}

/** The first state, from which every quote can be read. */
function statesOf(quotes: readonly string[]): QuoteState {
  const root = newQuoteState(0);
  const states = [root];
  quotes.forEach((quote, index) => {
    let state = root;
    for (const { word } of wordsOf(quote)) {
      const next = state.next.get(word) ?? newQuoteState(state.depth + 1);
      state.next.set(word, next);
      state = next;
    }
    if (state !== root) state.quotes.push(index);
  });
  // The list grows while it is read: shorter states come first.
  for (const state of states) {
    for (const [word, next] of state.next) {
      next.shorter = state === root ? root : follow(state.shorter ?? root, word);
      states.push(next);
    }
  }
  return root;
}

/**
 * Finds the first place at which each quote was said: in whole words, regardless of case, punctuation (`dont` is
 * `don’t`), white space and the kinds of apostrophes, quotation marks and dashes, also across segments of one speaker.
 * In a script without spaces, such as Han, each character counts as a word. Use it to check what a language model
 * quotes. Takes a time proportional to the transcript and the quotes together.
 *
 * @example
 * for (const { quote, found } of findQuotes(transcript, ["we ship on Friday"])) {
 *   console.log(quote, found ? `${found.speaker_name}, ${formatTime(found.start_time)}` : "not said");
 * }
 *
 * @throws TypeError if `quotes` is not a list of texts.
 */
export function findQuotes(transcript: SpokenTranscript, quotes: readonly string[]): FoundQuote[] {
  if (!Array.isArray(quotes) || quotes.some((quote) => typeof quote !== "string")) {
    throw new TypeError("quotes: expected a list of texts");
  }
  const root = statesOf(quotes);
  const places: (QuotePlace | undefined)[] = quotes.map(() => undefined);
  for (const { turn, segments, starts } of joinSegments(timeline(transcript), () => true)) {
    const said = wordsOf(turn.text);
    const segmentAt = finderAt(segments, starts);
    let state = root;
    said.forEach(({ word, end }, index) => {
      state = follow(state, word);
      // Where a state was reported, the shorter ones were also reported: each is read once.
      for (let one: QuoteState | undefined = state; one && !one.isReported && one !== root; one = one.shorter) {
        one.isReported = true;
        const from = said[index - one.depth + 1]?.index ?? 0;
        for (const quote of one.quotes) {
          places[quote] = {
            text: turn.text.slice(from, end),
            start_time: segmentAt(from)?.start_time ?? turn.start_time,
            end_time: segmentAt(end - 1)?.end_time ?? turn.end_time,
            speaker_name: turn.speaker_name,
          };
        }
      }
    });
  }
  return quotes.map((quote, index) => ({ quote, found: places[index] }));
}
