/** Finds the places where text may be cut. Each function returns pieces that, joined, are the whole text. */

/**
 * A character of a writing system that puts no space between words, or of its punctuation. A literal: Babel translates
 * those, and no others, for engines that do not know such classes.
 */
const SPACELESS = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}\uff00-\uff65]/u;

const SPACELESS_JOINT = new RegExp(`${SPACELESS.source}\n${SPACELESS.source}`, SPACELESS.flags);

/** What stands between two segments of one speaker: a space, unless both are in a script without spaces. */
export const separator = (before: string, after: string): "" | " " =>
  SPACELESS_JOINT.test(`${before.slice(-2)}\n${after.slice(0, 2)}`) ? "" : " ";

/** The time that V8 takes for a step of `Intl.Segmenter` grows with the text, so it gets a little at a time. */
const WINDOW = 256;

type Granularity = "word" | "grapheme";

/** Made at the first call: making one takes longer than using it. */
const segmenters: { [granularity in Granularity]?: Intl.Segmenter } = {};

/** Each code point for itself: React Native has no `Intl.Segmenter`. */
const codePoints = (text: string) => [...text].map((segment) => ({ segment, isWordLike: segment }));

type Segment = Pick<Intl.SegmentData, "segment"> & { readonly isWordLike?: unknown };

function segments(text: string, granularity: Granularity): Segment[] {
  if (!Intl.Segmenter) return codePoints(text);
  segmenters[granularity] ??= new Intl.Segmenter(undefined, { granularity });
  const all: Segment[] = [];
  for (let from = 0; from < text.length; ) {
    const inWindow = [...segmenters[granularity].segment(text.slice(from, from + WINDOW))];
    // The last segment may continue behind the window, and the one before it if the window ends within a code point:
    // both are looked at again.
    if (from + WINDOW < text.length) inWindow.splice(Math.max(1, inWindow.length - 2));
    for (const segment of inWindow) {
      all.push(segment);
      from += segment.segment.length;
    }
  }
  return all;
}

/** What a reader sees as one character: an emoji of several code points stays whole. */
export const graphemes = (text: string): string[] => segments(text, "grapheme").map(({ segment }) => segment);

/** Words with the space and the punctuation that follow them. */
export const words = (text: string): string[] =>
  (text.match(/\S+\s*/g) ?? []).flatMap((run) => (SPACELESS.test(run) ? spacelessWords(run) : run));

function spacelessWords(run: string): string[] {
  const found: string[] = [];
  for (const { segment, isWordLike } of segments(run, "word")) {
    found.push(isWordLike || found.length === 0 ? segment : found.pop() + segment);
  }
  return found;
}

/** Sentences with the space that follows them. A full stop without a space after it (`3.14`) does not end one. */
export const sentences = (text: string): string[] =>
  text.split(/(?=[^\s。！？」』])(?<=[.!?…]["'”’»)\]]?\s+|[。！？][」』]?)/);
