/** The text of a validation issue, as `missing` reports it. */
import type { Issue } from "../../schemas/format-issues.js";

/** For example `segments[0]: expected an object, received null`. */
export const issueText = (issue: Issue | undefined): string | undefined =>
  issue === undefined ? undefined : `${issue.path}: ${issue.message}`;
