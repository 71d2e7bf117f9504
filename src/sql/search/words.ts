/** Makes the words of texts and of queries. The databases only compare them, so each finds the same. */
import { SPACELESS, wordSegments } from "../../transcript/split-text.js";

/** A word in the form that is compared, and its place in the text. */
export interface Word {
  readonly word: string;
  readonly index: number;
  readonly end: number;
}

const RUN = /[\p{L}\p{N}][\p{L}\p{M}\p{N}\p{Cf}]*/gu;
const MARKS = /([\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}])\p{M}+/gu;
const ALEF_MARKS = /\u0627[\u0653-\u0655]+/g;
/** Letters that Unicode does not divide into a letter and a mark. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ ı: "i", ς: "σ", ß: "ss", ł: "l", ø: "o", đ: "d" },
  "\u0671": "\u0627",
};
const UNDIVIDED = new RegExp(`[${Object.keys(LETTERS).join("")}]`, "g");

/** Longer words are noise, such as an encoded file; a database limits their length. */
const MAX_WORD = 64;

/** Without case, width, invisible characters and the marks of Latin, Greek and Cyrillic letters and of alef; `ı` is `i`. */
function fold(text: string): string {
  if (/^[\da-z]*$/i.test(text)) return text.toLowerCase();
  return text
    .replace(/\p{Cf}/gu, "")
    .normalize("NFKD")
    .replace(MARKS, "$1")
    .replace(ALEF_MARKS, "\u0627")
    .toLowerCase()
    .replace(UNDIVIDED, (letter) => LETTERS[letter] ?? letter)
    .normalize("NFKC");
}

/**
 * What the passages of an account have, and no text: so a database with many accounts looks only at those of one, and
 * what is common is so in that one. An account without a name is meant to be alone.
 */
export const accountWords = (account: string): string[] =>
  account === ""
    ? []
    : [`\ue000${Array.from(account, (letter) => letter.codePointAt(0)?.toString(16)).join("")}`.slice(0, MAX_WORD)];

/**
 * The words of a text: runs of letters and digits. An apostrophe divides words (`l'accord`). Scripts without spaces are
 * divided by `Intl.Segmenter`, or into pairs of characters in a runtime without it.
 */
export function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  const add = (part: string, index: number) => {
    // A compatibility character may stand for several words.
    for (const folded of fold(part).match(/[\p{L}\p{M}\p{N}]+/gu) ?? []) {
      const word = folded.length > MAX_WORD ? [...folded].slice(0, MAX_WORD).join("") : folded;
      words.push({ word, index, end: index + part.length });
    }
  };
  // For Unicode, this apostrophe is a letter.
  for (const { 0: run, index } of text.replaceAll("\u02bc", "'").matchAll(RUN)) {
    const parts = SPACELESS.test(run) ? wordSegments(run) : [run];
    let at = index;
    for (const [number, part] of parts.entries()) {
      const next = parts[number + 1];
      // Without a segmenter, each part is one character.
      if (Intl.Segmenter || parts.length === 1) add(part, at);
      else if (next !== undefined) add(part + next, at);
      at += part.length;
    }
  }
  return words;
}
