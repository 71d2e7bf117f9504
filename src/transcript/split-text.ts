/** Makes lines of a text, and divides texts where they may be cut, into pieces that are the whole text if joined. */
import { wellFormed } from "../json/well-formed.js";

/** Of a script without spaces, or its punctuation. A literal: Babel translates classes only in literals. */
export const SPACELESS =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}\uff00-\uff65]/u;

const SPACELESS_JOINT = new RegExp(`${SPACELESS.source}\n${SPACELESS.source}`, SPACELESS.flags);

/** The text between two joined segments of one speaker: a space, or nothing if both are in a script without spaces. */
export const separator = (before: string, after: string): "" | " " =>
  SPACELESS_JOINT.test(`${before.slice(-2)}\n${after.slice(0, 2)}`) ? "" : " ";

/** In V8, a step of `Intl.Segmenter` takes longer for a longer text, so it gets only this many characters at a time. */
const WINDOW = 256;

type Granularity = "word" | "grapheme";

/** Made at the first call, and kept: making a segmenter takes longer than using it. */
const segmenters: { [granularity in Granularity]?: Intl.Segmenter } = {};

/** Each code point as a segment, for React Native, which has no `Intl.Segmenter`. */
const codePoints = (text: string) => [...text].map((segment) => ({ segment, isWordLike: segment }));

type WordSegment = Pick<Intl.SegmentData, "segment"> & { readonly isWordLike?: unknown };

function segments(text: string, granularity: Granularity): WordSegment[] {
  if (!Intl.Segmenter) return codePoints(text);
  segmenters[granularity] ??= new Intl.Segmenter(undefined, { granularity });
  const all: WordSegment[] = [];
  for (let from = 0; from < text.length; ) {
    const inWindow = [...segmenters[granularity].segment(text.slice(from, from + WINDOW))];
    // The last segment may continue behind the window. If the window ends within a code point, the segment before it
    // may also continue. So both are read again in the next window.
    if (from + WINDOW < text.length) inWindow.splice(Math.max(1, inWindow.length - 2));
    for (const segment of inWindow) {
      all.push(segment);
      from += segment.segment.length;
    }
  }
  return all;
}

/** The characters of a text as a reader sees them: an emoji of several code points is one character. */
export const graphemes = (text: string): string[] => segments(text, "grapheme").map(({ segment }) => segment);

/** What a dictionary takes for the words of a text in a script without spaces, and what is between them. */
export const wordSegments = (text: string): string[] => segments(text, "word").map(({ segment }) => segment);

/** The words of a text, each with the space and the punctuation that follow it, and the opening ones before it. */
export const words = (text: string): string[] =>
  keepOpening((text.match(/\S+\s*/g) ?? []).flatMap((run) => (SPACELESS.test(run) ? spacelessWords(run) : run)));

function spacelessWords(run: string): string[] {
  const found: string[] = [];
  for (const { segment, isWordLike } of segments(run, "word")) {
    found.push(isWordLike || found.length === 0 ? segment : found.pop() + segment);
  }
  return found;
}

/** Makes opening brackets and quotation marks the beginning of the next unit: no line may end in one. */
function keepOpening(units: readonly string[]): string[] {
  const kept: string[] = [];
  let opened = "";
  for (const unit of units) {
    let at = unit.trimEnd().length;
    const end = at;
    while (/[\p{Ps}\p{Pi}]/u.test(unit.charAt(at - 1))) at -= 1;
    // Behind a letter of another script, it may be a closing mark, as in German: both words stay together.
    if (at === end) at = unit.length;
    else if (!SPACELESS.test(unit.charAt(at - 1))) at = 0;
    if (at) kept.push(opened + unit.slice(0, at));
    opened = (at ? "" : opened) + unit.slice(at);
  }
  return opened ? [...kept, opened] : kept;
}

/** Each with the space after it. Only before a space does the full stop of Latin end a sentence (`3.14`). */
export const sentences = (text: string): string[] =>
  text.split(
    /(?=[^\s\p{Sentence_Terminal}\p{Pe}\p{Pf}])(?<=[.!?．…]["'\p{Pe}\p{Pf}]?\s+|(?![.!?．])\p{Sentence_Terminal}[\p{Pe}\p{Pf}]?\s*)/u,
  );

/** Line breaks and controls become one space: in a caption they would begin a new element. `""` if no text. */
export const singleLine = (text: unknown): string =>
  typeof text === "string" ? wellFormed(text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ")).trim() : "";

/** `text` in lines of at most `max` UTF-16 units, broken between words. A word that is longer than a line is cut. */
export function wrapLines(text: string, max: number): string {
  if (text.length <= max) return text;
  const lines: string[] = [];
  const units = words(text).flatMap((word) => (word.trimEnd().length > max ? keepOpening(graphemes(word)) : word));
  for (const unit of units) {
    const line = lines.at(-1) ?? "";
    if (lines.length && line.length + unit.trimEnd().length <= max) lines[lines.length - 1] = line + unit;
    else lines.push(unit);
  }
  return lines
    .map((line) => line.trim())
    .filter(Boolean)
    .join("\n");
}
