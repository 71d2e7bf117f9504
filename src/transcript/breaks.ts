/** Where text may be cut. Each function gives pieces that make the whole text again when they are put together. */

/** Writing systems that put no space between words. */
const SPACELESS = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u;

/** The time that V8 takes for a step of `Intl.Segmenter` grows with the text, so it is shown a little at a time. */
const WINDOW = 256;

/** Made at the first call: making one takes longer than using it. */
const segmenters: { [granularity in "word" | "grapheme"]?: Intl.Segmenter } = {};

function segments(text: string, granularity: "word" | "grapheme"): Intl.SegmentData[] {
  segmenters[granularity] ??= new Intl.Segmenter(undefined, { granularity });
  const segmenter = segmenters[granularity];
  const found: Intl.SegmentData[] = [];
  for (let from = 0; from < text.length; ) {
    const seen = [...segmenter.segment(text.slice(from, from + WINDOW))];
    // What touches the end of the window may go on behind it, and is looked at again.
    if (from + WINDOW < text.length && seen.length > 1) seen.pop();
    const last = seen.at(-1) as Intl.SegmentData;
    from += last.index + last.segment.length;
    found.push(...seen);
  }
  return found;
}

/** What a reader sees as one character: an emoji of several code points stays whole. */
export const graphemes = (text: string): string[] => segments(text, "grapheme").map(({ segment }) => segment);

/** Words with the space and the punctuation that follow them. */
export const words = (text: string): string[] =>
  (text.match(/\S+\s*/g) ?? []).flatMap((run) => {
    if (!SPACELESS.test(run)) return run;
    const found: string[] = [];
    for (const { segment, isWordLike } of segments(run, "word")) {
      found.push(isWordLike || !found.length ? segment : found.pop() + segment);
    }
    return found;
  });

/** Sentences with the space that follows them. A full stop without one after it (`3.14`) ends none. */
export const sentences = (text: string): string[] =>
  text.split(/(?=[^\s。！？」』])(?<=[.!?…]["'”’»)\]]?\s+|[。！？][」』]?)/);
