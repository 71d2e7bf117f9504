/**
 * Text as part of one line; `""` if `text` is not text. What was said may hold line breaks, and in a caption, a heading
 * or a line of text they would begin something that nobody said. So each run of line breaks and control characters
 * becomes one space.
 */
export const singleLine = (text: unknown): string =>
  typeof text === "string" ? text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim() : "";
