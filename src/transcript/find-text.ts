/** Finds a text whatever its case, its apostrophes and its spaces, in time that grows with text and query alone. */

/** Where a query was found in a text. */
export interface FoundText {
  index: number;
  length: number;
}

/** `text` in the form that is compared. Each character keeps its length, so an index in the result is one in `text`. */
const fold = (text: string) =>
  text
    .replaceAll("İ", "i")
    .toLowerCase()
    .replaceAll("ς", "σ")
    .replace(/[‘’]/g, "'")
    .replace(/[\u00a0\u202f]/g, " ");

/** A function that lists where `query` is in a text. The places do not overlap. */
export function findText(query: string): (text: string) => FoundText[] {
  const { length } = query;
  const wanted = fold(query);
  return (text) => {
    if (length > text.length) return [];
    let end = 0;
    // No text holds the line break, so that no beginning is longer than the query.
    return beginnings(`${wanted}\n${fold(text)}`).flatMap((matched, last) => {
      const index = last - 2 * length;
      if (matched < length || index < end) return [];
      end = index + length;
      return { index, length };
    });
  };
}

/**
 * For each place of `text`, how long a beginning of `text` ends there: the table of Knuth, Morris and Pratt. Unlike
 * `indexOf`, in linear time also for long texts of one character.
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
