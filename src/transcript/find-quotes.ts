import { type FoundText, fold, matchesIn } from "./search.js";
import { SPACELESS } from "./split-text.js";
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

/** Letters, digits and their marks, with apostrophes and invisible characters between them, in a folded text. */
const WORD = /[\p{L}\p{M}\p{N}](?:['`´\p{Cf}]*[\p{L}\p{M}\p{N}])*/gu;
const IGNORED = /['`´\p{Cf}\p{Variation_Selector}]/gu;
/** A character that needs no spaces (or Hangul, where they vary), or what stands between two: `AI` in `用AI做`. */
const ALONE = `(?:${SPACELESS.source}|[\\u1100-\\u115f가-힣][\\u1160-\\u11ff]*)`;
const PART = new RegExp(`${ALONE}(?:${/\p{M}/u.source})*|(?:(?!${ALONE})[^])+`, `g${SPACELESS.flags}`);

interface QuoteWord {
  /** The index in the text, and the index behind the word. */
  readonly index: number;
  readonly end: number;
}

interface Words {
  /** The words in the form that is compared, each between two zero characters. */
  readonly joined: string;
  readonly words: readonly QuoteWord[];
  /** The number of each word, by the index in `joined` of the zero character before it. */
  readonly numbers: ReadonlyMap<number, number>;
}

/** The words of a text. In a script without spaces, each character is a word. */
function quoteWords(text: string): Words {
  const words: QuoteWord[] = [];
  const numbers = new Map<number, number>();
  const parts = [""];
  let length = 0;
  for (const { 0: match, index } of fold(text).matchAll(WORD)) {
    for (const { 0: part, index: offset } of match.matchAll(PART)) {
      const word = fold(part.normalize().replace(IGNORED, ""));
      if (word === "") continue;
      numbers.set(length, words.length);
      words.push({ index: index + offset, end: index + offset + part.length });
      parts.push(word);
      length += word.length + 1;
    }
  }
  return { joined: `${parts.join("\0")}\0`, words, numbers };
}

function* placesOf(quote: Words, { joined, words, numbers }: Words): Generator<FoundText> {
  if (quote.words.length === 0) return;
  for (let at = joined.indexOf(quote.joined); at !== -1; at = joined.indexOf(quote.joined, at + 1)) {
    const first = numbers.get(at) ?? 0;
    const index = words[first]?.index ?? 0;
    yield { index, length: (words[first + quote.words.length - 1]?.end ?? index) - index };
  }
}

/** Returns a function that lists where a quote is in a text, as {@link findQuotes} compares them. */
export function findQuote(quote: string): (text: string) => FoundText[] {
  const wanted = quoteWords(quote);
  return (text) => [...placesOf(wanted, quoteWords(text))];
}

/**
 * Finds the first place at which each quote was said: in whole words, regardless of case, punctuation (`dont` is
 * `don’t`), white space and the kinds of apostrophes, quotation marks and dashes, also across segments of one speaker.
 * In a script without spaces, such as Han, and in Hangul, each character counts as a word. Use it to check what a
 * language model quotes. Takes a time proportional to the transcript for each quote.
 * @example
 * for (const { quote, found } of findQuotes(transcript, ["we ship on Friday"])) {
 *   console.log(quote, found ? `${found.speaker_name}, ${formatTime(found.start_time)}` : "not said");
 * }
 * @throws TypeError if `quotes` is not a list of texts.
 */
export function findQuotes(transcript: SpokenTranscript, quotes: readonly string[]): FoundQuote[] {
  if (!Array.isArray(quotes) || quotes.some((quote) => typeof quote !== "string")) {
    throw new TypeError("quotes: expected a list of texts");
  }
  const joined = joinSegments(timeline(transcript), () => true);
  const said = new Map(joined.map(({ turn: { text } }) => [text, quoteWords(text)]));
  return quotes.map((quote) => {
    const wanted = quoteWords(quote);
    const [place] = matchesIn(joined, (text) => {
      // One is enough: a text that repeats itself would have a place for each repetition.
      const [first] = placesOf(wanted, said.get(text) ?? wanted);
      return first === undefined ? [] : [first];
    });
    if (place === undefined) return { quote, found: undefined };
    const { match, start_time, end_time, turn } = place;
    return { quote, found: { text: match, start_time, end_time, speaker_name: turn.speaker_name } };
  });
}
