/** Where text may be cut. Each function gives pieces that make the whole text again when they are put together. */

/** Writing systems that put no space between words. */
const SPACELESS = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u;

const segments = (text: string, granularity: "sentence" | "word" | "grapheme") => [
  ...new Intl.Segmenter(undefined, { granularity }).segment(text),
];

export const sentences = (text: string): string[] => segments(text, "sentence").map(({ segment }) => segment);

/** What a reader sees as one character: an emoji of several code points stays whole. */
export const graphemes = (text: string): string[] => segments(text, "grapheme").map(({ segment }) => segment);

/** Words with the space and the punctuation that follow them. */
export const words = (text: string): string[] =>
  (text.match(/\S+\s*/g) ?? []).flatMap((run) => {
    if (!SPACELESS.test(run)) return run;
    const found: string[] = [];
    for (const { segment, isWordLike } of segments(run, "word")) {
      if (isWordLike || found.length === 0) found.push(segment);
      else found.push(found.pop() + segment);
    }
    return found;
  });
