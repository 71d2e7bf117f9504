/** Puts what a schema found into words: path, what was expected, what was received. */
import type * as z from "zod/mini";

export interface Issue {
  /** The field, as one types it: `meetings[0].id`; empty for the value as a whole. */
  path: string;
  message: string;
}

type Found = z.core.$ZodIssue;

/** `["meetings", 0, "id"]` as `meetings[0].id`. */
export function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, key) => (typeof key === "number" ? `${text}[${key}]` : text === "" ? String(key) : `${text}.${String(key)}`),
    "",
  );
}

/** What is at `path` in `value`, named by its kind only: the value itself may be a secret. */
function kindAt(value: unknown, path: readonly PropertyKey[]): string {
  let found: unknown = value;
  for (const key of path) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, key)) return "nothing";
    found = (found as Record<PropertyKey, unknown>)[key];
  }
  if (found === undefined) return "nothing";
  if (found === null) return "null";
  if (Number.isNaN(found)) return "NaN";
  return Array.isArray(found) ? "an array" : typeof found === "object" ? "an object" : `a ${typeof found}`;
}

const named = (expected: string) =>
  /^[aeio]/.test(expected) ? `an ${expected === "int" ? "integer" : expected}` : `a ${expected}`;

function sentence(issue: Found, value: unknown): string {
  switch (issue.code) {
    case "invalid_type":
      return `expected ${named(issue.expected)}, received ${kindAt(value, issue.path)}`;
    case "invalid_value":
      return `expected ${issue.values.map((one) => JSON.stringify(one)).join(", ")}, received ${kindAt(value, issue.path)}`;
    case "invalid_format":
      if (issue.format === "template_literal") {
        const prefix = /^\^(\w+)/.exec(issue.pattern ?? "")?.[1] ?? "";
        return `expected an id of the form ${prefix}…`;
      }
      if (issue.format === "datetime") return "expected an ISO 8601 timestamp with an offset";
      return issue.format === "date" ? "expected a calendar date of the form YYYY-MM-DD" : `expected ${issue.format}`;
    case "custom":
    case "too_small":
      return issue.message;
    default:
      return "expected another shape";
  }
}

/** The issues of one validation, one for each field that is wrong. `value` is what was validated. */
export function describeIssues(issues: readonly Found[], value: unknown): Issue[] {
  return issues.flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => ({ path: pathText([...issue.path, key]), message: "is not known here" }))
      : [{ path: pathText(issue.path), message: sentence(issue, value) }],
  );
}
