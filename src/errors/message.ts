/** How error messages are worded: one line, bounded, no control characters. */
import type { Issue } from "../schemas/format-issues.js";

/** Text from outside as part of one line. */
export const oneLine = (text: string, max = 300) => {
  const line = text.replace(/[\s\p{Cc}]+/gu, " ").trim();
  return line.length <= max ? line : `${line.slice(0, max)}…`;
};

/** The first issues, as one line. */
export function issuesText(issues: readonly Issue[]): string {
  const shown = issues.slice(0, 3).map(({ path, message }) => (path === "" ? message : `${path}: ${message}`));
  const more = issues.length > 3 ? `, and ${issues.length - 3} more` : "";
  return oneLine(shown.join("; "), 600) + more;
}
