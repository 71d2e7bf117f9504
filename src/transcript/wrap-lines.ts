import { graphemes, words } from "./split-text.js";

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
