/** Searches a text for one of the forms of a secret, whole or cut off, in time that is linear in the text. */
import { addRange, type Range } from "./ranges.js";

/** A part of this length is redacted wherever it stands: the beginning of a secret that somebody shortened. */
const PARTIAL_LENGTH = 12;
/** A part of this length is redacted at the end of a text that was cut. */
const CUT_LENGTH = 6;

/** One form of a secret (plain, or in base64), and how to find it: the algorithm of Knuth, Morris and Pratt. */
export class Pattern {
  readonly #text: string;
  /** Whether the whole run of base64 around a match is taken: its neighbours hold bits of the secret. */
  readonly #takesRun: boolean;
  /** The shortest beginning that is looked for. */
  readonly #head: string;
  #fallbacks: Int32Array | undefined;

  constructor(text: string, takesRun: boolean) {
    this.#text = text;
    this.#takesRun = takesRun;
    this.#head = text.slice(0, Math.min(CUT_LENGTH, Math.ceil(text.length / 2)));
  }

  /** The parts of `text` that are this secret, sorted. Both are normalised. */
  find(text: string): Range[] {
    const from = text.indexOf(this.#head);
    if (from === -1) return [];
    const matches = this.#search(text, from);
    return this.#takesRun ? widenToRuns(text, matches) : matches;
  }

  #search(text: string, from: number): Range[] {
    const [pattern, fallbacks] = [this.#text, this.#prepare()];
    const partial = Math.min(PARTIAL_LENGTH, pattern.length);
    const ranges: Range[] = [];
    let matched = 0;
    for (let index = from; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      while (matched > 0 && code !== pattern.charCodeAt(matched)) {
        if (matched >= partial) addRange(ranges, index - matched, index);
        matched = fallbacks[matched - 1] ?? 0;
      }
      if (code === pattern.charCodeAt(matched)) matched += 1;
      if (matched < pattern.length) continue;
      addRange(ranges, index + 1 - matched, index + 1);
      matched = fallbacks[matched - 1] ?? 0;
    }
    if (matched >= this.#head.length) addRange(ranges, text.length - matched, text.length);
    return ranges;
  }

  /** For each length of a match, the length of the longest shorter one that ends at the same place. */
  #prepare(): Int32Array {
    if (this.#fallbacks !== undefined) return this.#fallbacks;
    const pattern = this.#text;
    const fallbacks = new Int32Array(pattern.length);
    let matched = 0;
    for (let index = 1; index < pattern.length; index += 1) {
      while (matched > 0 && pattern.charCodeAt(index) !== pattern.charCodeAt(matched))
        matched = fallbacks[matched - 1] ?? 0;
      if (pattern.charCodeAt(index) === pattern.charCodeAt(matched)) matched += 1;
      fallbacks[index] = matched;
    }
    this.#fallbacks = fallbacks;
    return fallbacks;
  }
}

const isBase64 = (code: number): boolean =>
  (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) || "+/-_=".includes(String.fromCharCode(code));

/** Each match with the rest of the base64 around it. */
function widenToRuns(text: string, matches: readonly Range[]): Range[] {
  const widened: Range[] = [];
  for (const match of matches) {
    const previousEnd = widened.at(-1)?.end ?? 0;
    if (match.start < previousEnd) continue;
    let { start, end } = match;
    while (start > previousEnd && isBase64(text.charCodeAt(start - 1))) start -= 1;
    while (end < text.length && isBase64(text.charCodeAt(end))) end += 1;
    addRange(widened, start, end);
  }
  return widened;
}
