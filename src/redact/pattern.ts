/** Searches a text for one form of a secret, complete or cut off, in linear time. */
import { addRange, type Range } from "./ranges.js";

/**
 * The beginning of a secret is redacted anywhere in a text if it has at least this length: the text may contain a
 * shortened secret.
 */
const PARTIAL_LENGTH = 12;
/** At the end of a text, which may have been cut, the beginning of a secret is redacted from this length on. */
const CUT_LENGTH = 6;

/** Returns the parts of a text that contain one form of a secret, in ascending order. */
export type FindSecret = (text: string) => Range[];

/** Returns a function that searches for `pattern`. */
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
  /** How long a beginning of the pattern must be to count as found at the end of the text. */
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

/** For each length of a match, the length of the longest shorter match that ends at the same position. */
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

/**
 * Like `find`, but each match includes the base64 characters around it, because its neighbours contain bits of the
 * secret.
 */
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
