import { isRecord } from "../json/is-record.js";
import { namesNoMachine } from "./names-no-machine.js";

const shownText = (text: unknown, replacement: string): string =>
  typeof text === "string" && namesNoMachine(text) ? text : replacement;

function shownIssue(issue: unknown): Record<string, unknown>[] {
  // A long list ends with a text that counts the others.
  if (!isRecord(issue)) return [];
  const { path, code, message, loc, msg, type } = issue;
  if (!Array.isArray(loc)) return [{ path, code, message }];
  const shownLoc = loc.map((part: unknown) => (typeof part === "number" ? part : shownText(part, "…")));
  return [{ loc: shownLoc, msg: shownText(msg, "invalid"), type: shownText(type, "") }];
}

/** Where and what is wrong, without the request's values (`input`), `ctx`, and texts that name a machine. */
export const shownIssues = (issues: unknown): Record<string, unknown>[] | undefined =>
  Array.isArray(issues) ? issues.flatMap(shownIssue) : undefined;
