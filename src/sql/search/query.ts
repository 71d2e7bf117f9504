/** Reads what people and models search for. Whatever is no word, phrase, prefix or exclusion is text. */
import { type Word, wordsOf } from "./words.js";

/** A word, or a phrase of several. */
export interface Term {
  readonly words: readonly string[];
  /** Whether the last word may go on. */
  readonly isPrefix: boolean;
  /** Whether only the name of the speaker counts. */
  readonly ofSpeaker?: boolean;
}

export interface Query {
  readonly terms: readonly Term[];
  readonly without: readonly Term[];
}

/** Later words of a query are ignored: with more, a database refuses it. */
const MAX_TERMS = 32;
const MAX_PHRASE = 32;

/** A phrase between quotation marks, or a run without white space, with what precedes it. */
const TOKEN = /(?<=^|\s)(-?)(?:["“„«]([^"“”„«»]*)["”“»]|([^\s"“”„«»]+))|["“„«]([^"“”„«»]*)(?:["”“»]|$)|[^\s"“”„«»]+/gu;

/** `renewal "fixed price" contr* -draft`: words, phrases, beginnings of words, and what must not be there. */
export function parseQuery(text: string): Query {
  const terms = new Map<string, Term>();
  const without = new Map<string, Term>();
  for (const [token, minus = "", quoted, plain, laterQuoted] of text.matchAll(TOKEN)) {
    // A dash before a dash excludes nothing.
    const isExcluded = minus !== "" && !plain?.startsWith("-");
    const phrase = quoted ?? laterQuoted;
    const into = isExcluded ? without : terms;
    for (const term of termsOf(phrase ?? token, phrase !== undefined || isExcluded)) {
      if (into.size < MAX_TERMS) into.set(JSON.stringify(term), term);
    }
  }
  return { terms: [...terms.values()], without: [...without.values()] };
}

function termsOf(text: string, isPhrase: boolean): Term[] {
  const words = wordsOf(text).slice(0, MAX_PHRASE);
  if (words.length === 0) return [];
  const isPrefix = /[\p{L}\p{M}\p{N}]\*$/u.test(text);
  if (isPhrase) return [{ words: words.map(({ word }) => word), isPrefix }];
  const terms = words.map(
    ({ word }, index): Term => ({ words: [word], isPrefix: isPrefix && index === words.length - 1 }),
  );
  // Not the `l` of `l'accord`.
  const long = terms.filter(({ words: [word = ""] }) => !/^[\p{sc=Latn}\p{sc=Cyrl}\p{sc=Grek}]$/u.test(word));
  return long.length > 0 ? long : terms;
}

/** Where a term is among the words of a text: a range for each place. */
export function* placesOf({ words, isPrefix }: Term, text: readonly Word[]): Generator<[number, number]> {
  const last = words.length - 1;
  for (const [at, { index }] of text.entries()) {
    const fits = words.every((wanted, further) => {
      const word = text[at + further]?.word;
      return word === wanted || (isPrefix && further === last && word?.startsWith(wanted) === true);
    });
    if (fits) yield [index, text[at + last]?.end ?? index];
  }
}
