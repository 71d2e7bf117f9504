/** The length in Unicode code points, in which the service's limits are counted: 😀 counts once. */
export const countCharacters = (text: string): number => {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
};

/** Whether `text` has more than `max` code points. Also fast for a very long text. */
export const isLongerThan = (text: string, max: number): boolean =>
  // A code point takes one or two units of a string's length.
  text.length > max && (text.length > 2 * max || countCharacters(text) > max);
