/** Finds a text in linear time, regardless of case, kind of apostrophe and kind of space. */

/** The position and the length of a match. */
export interface FoundText {
  index: number;
  length: number;
}

/**
 * `text` in the form that is compared. Each character keeps its length, so an index in the result is also valid in
 * `text`.
 */
const fold = (text: string) =>
  text
    .replaceAll("İ", "i")
    .toLowerCase()
    .replaceAll("ς", "σ")
    .replace(/[‘’]/g, "'")
    .replace(/[\u00a0\u202f]/g, " ");

/** Returns a function that lists the matches of `query` in a text. The matches do not overlap. */
export function findText(query: string): (text: string) => FoundText[] {
  const { length } = query;
  const wanted = fold(query);
  return (text) => {
    if (length > text.length) return [];
    let end = 0;
    // No text contains the line break, so no match is longer than the query.
    return beginnings(`${wanted}\n${fold(text)}`).flatMap((matched, last) => {
      const index = last - 2 * length;
      if (matched < length || index < end) return [];
      end = index + length;
      return { index, length };
    });
  };
}

/**
 * For each position of `text`, the length of the longest beginning of `text` that ends there: the table of Knuth,
 * Morris and Pratt. Unlike a search with `indexOf`, it takes linear time also for long texts of one character.
 */
function beginnings(text: string): number[] {
  const lengths = [0];
  for (let index = 1, length = 0; index < text.length; index++) {
    while (length && text[index] !== text[length]) length = lengths[length - 1] ?? 0;
    if (text[index] === text[length]) length++;
    lengths.push(length);
  }
  return lengths;
}
