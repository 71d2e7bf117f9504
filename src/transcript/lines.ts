/** Makes lines of a text. */
import { graphemes, words } from "./split-text.js";

/**
 * Makes `text` fit into one line; returns `""` if `text` is not a string. In a caption, a heading or a line of text, a
 * line break of the spoken text would begin a new element. So each run of line breaks and control characters becomes
 * one space.
 */
export const singleLine = (text: unknown): string =>
  typeof text === "string" ? text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim() : "";

/** `text` in lines of at most `max` UTF-16 units, broken between words. A word that is longer than a line is cut. */
export function wrapLines(text: string, max: number): string {
  if (text.length <= max) return text;
  const lines: string[] = [];
  for (const unit of words(text).flatMap((word) => (word.trimEnd().length > max ? graphemes(word) : word))) {
    const line = lines.at(-1) ?? "";
    if (lines.length && line.length + unit.trimEnd().length <= max) lines[lines.length - 1] = line + unit;
    else lines.push(unit);
  }
  return lines
    .map((line) => line.trim())
    .filter(Boolean)
    .join("\n");
}
