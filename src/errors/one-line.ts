/** Makes received text fit to be part of a message: one line, of limited length, without control characters. */
import { andMore, type IssueInit, omittedIn } from "../checks/format-issues.js";

const ISSUES_IN_MESSAGE = 3;
const MAX_ISSUES_LENGTH = 600;

export function oneLine(text: string, max = 300): string {
  // White space may be removed, so more than `max` characters are read, but never all of a huge text.
  const start = text.slice(0, max * 8);
  const line = start.replace(/[\s\p{Cc}]+/gu, " ").trim();
  return line.length <= max && start.length === text.length ? line : `${line.slice(0, max)}…`;
}

/** `query.limit: too large; title: too long, and 3 more`: the first of `parts`, of which there are `total`. */
export function joinFirst(parts: readonly string[], total: number, max?: number): string {
  const line = oneLine(parts.slice(0, ISSUES_IN_MESSAGE).join("; "), max);
  return total > ISSUES_IN_MESSAGE ? `${line}, ${andMore(total - ISSUES_IN_MESSAGE)}` : line;
}

/** `segments[0]: expected an object, received null`. */
export const issueText = ({ path, message }: IssueInit): string => (path === "" ? message : `${path}: ${message}`);

export function issuesText(issues: readonly IssueInit[]): string {
  const omitted = omittedIn(issues.at(-1));
  const listed = omitted > 0 ? issues.slice(0, -1) : issues;
  return joinFirst(listed.map(issueText), listed.length + omitted, MAX_ISSUES_LENGTH);
}
