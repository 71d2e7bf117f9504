/**
 * Makes `text` fit into one line; returns `""` if `text` is not a string. In a caption, a heading or a line of text, a
 * line break of the spoken text would begin a new element. So each run of line breaks and control characters becomes
 * one space.
 */
export const singleLine = (text: unknown): string =>
  typeof text === "string" ? text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim() : "";
