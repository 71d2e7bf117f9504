/** A service may cut a text within a character. JavaScript accepts the half, but the API of a model refuses it. */

/** `text` with U+FFFD in place of each half of a character. Older runtimes lack `toWellFormed`, which is ten times as fast. */
export const wellFormed = <Text extends string>(text: Text): Text =>
  (typeof text === "string"
    ? ((text as { toWellFormed?(): string }).toWellFormed?.() ?? text.replace(/\p{Surrogate}/gu, "\ufffd"))
    : text) as Text;

export const wellFormedJson = (value: unknown): string =>
  // Of a pair of characters after a backslash, only a lone half is written as `\ud800`.
  JSON.stringify(value)?.replace(/\\(?:ud[89a-f][\da-f]{2}|.)/gs, (found) => (found.length > 2 ? "\ufffd" : found));
