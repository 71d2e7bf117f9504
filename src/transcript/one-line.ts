/**
 * Text as part of one line. What was said may hold line breaks, and a line break in a caption, a heading or a line of
 * text would begin something that nobody said: each run of line breaks and control characters becomes one space.
 */
export const oneLine = (text: string | null | undefined) => (text ?? "").replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
