/** Ranges of a text: collects the ranges to replace, and replaces them. */

/** The characters from `start` up to, and not including, `end`. */
export interface Range {
  start: number;
  end: number;
}

/** Adds a range to a list that is sorted by `start`; ranges that touch become one. */
export function addRange(ranges: Range[], start: number, end: number): void {
  const last = ranges.at(-1);
  if (last === undefined || start > last.end) ranges.push({ start, end });
  else last.end = Math.max(last.end, end);
}

/** `text` with `replacement` in place of each of the ranges, whose order does not matter. */
export function replaceRanges(text: string, ranges: readonly Range[], replacement: string): string {
  const merged: Range[] = [];
  for (const { start, end } of [...ranges].sort((left, right) => left.start - right.start))
    addRange(merged, start, end);
  const parts: string[] = [];
  let position = 0;
  for (const { start, end } of merged) {
    parts.push(text.slice(position, start), replacement);
    position = end;
  }
  return parts.join("") + text.slice(position);
}
