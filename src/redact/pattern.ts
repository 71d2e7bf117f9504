/** Searches a text for one of the forms of a secret, whole or cut off, in time that is linear in the text. */
import { addRange, type Range } from "./ranges.js";

/** A part of this length is redacted wherever it stands: the beginning of a secret that somebody shortened. */
const PARTIAL_LENGTH = 12;
/** A part of this length is redacted at the end of a text that was cut. */
const CUT_LENGTH = 6;

/** The parts of a text that are one form of a secret, sorted. */
export type FindSecret = (text: string) => Range[];

/** Searches for `pattern`. */
export function patternFinder(pattern: string): FindSecret {
  const head = pattern.slice(0, Math.min(CUT_LENGTH, Math.ceil(pattern.length / 2)));
  let fallbacks: Int32Array | undefined;
  return (text) => {
    const from = text.indexOf(head);
    if (from === -1) return [];
    fallbacks ??= fallbacksOf(pattern);
    return search(text, from, { pattern, fallbacks, cutLength: head.length });
  };
}

interface Searched {
  readonly pattern: string;
  readonly fallbacks: Int32Array;
  /** How much of the pattern is taken at the end of the text. */
  readonly cutLength: number;
}

/** The algorithm of Knuth, Morris and Pratt. */
function search(text: string, from: number, { pattern, fallbacks, cutLength }: Searched): Range[] {
  const partialLength = Math.min(PARTIAL_LENGTH, pattern.length);
  const ranges: Range[] = [];
  let matched = 0;
  for (let index = from; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    while (matched > 0 && code !== pattern.charCodeAt(matched)) {
      if (matched >= partialLength) addRange(ranges, index - matched, index);
      matched = fallbacks[matched - 1] ?? 0;
    }
    if (code === pattern.charCodeAt(matched)) matched += 1;
  }
  if (matched >= cutLength) addRange(ranges, text.length - matched, text.length);
  return ranges;
}

/** For each length of a match, the length of the longest shorter one that ends at the same place. */
function fallbacksOf(pattern: string): Int32Array {
  const fallbacks = new Int32Array(pattern.length);
  let matched = 0;
  for (let index = 1; index < pattern.length; index += 1) {
    while (matched > 0 && pattern.charCodeAt(index) !== pattern.charCodeAt(matched))
      matched = fallbacks[matched - 1] ?? 0;
    if (pattern.charCodeAt(index) === pattern.charCodeAt(matched)) matched += 1;
    fallbacks[index] = matched;
  }
  return fallbacks;
}

/** As `find`, each match with the rest of the base64 around it: its neighbours hold bits of the secret. */
export function wholeBase64(find: FindSecret): FindSecret {
  return (text) => {
    const widened: Range[] = [];
    const isBase64 = (index: number) => /[\w+/=-]/.test(text.charAt(index));
    for (const range of find(text)) {
      const previousEnd = widened.at(-1)?.end ?? 0;
      let { start, end } = range;
      if (start < previousEnd) continue;
      while (start > previousEnd && isBase64(start - 1)) start -= 1;
      while (isBase64(end)) end += 1;
      addRange(widened, start, end);
    }
    return widened;
  };
}
