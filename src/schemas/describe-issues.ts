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
    (text, key) => (typeof key === "number" ? `${text}[${key}]` : `${text && `${text}.`}${String(key)}`),
    "",
  );
}

/** What is at `path` in `value`, named by its kind only: the value itself may be a secret. */
function kindAt(value: unknown, path: readonly PropertyKey[]): string {
  let found: unknown = value;
  for (const key of path) found = (found as Record<PropertyKey, unknown> | null | undefined)?.[key];
  if (found === undefined) return "nothing";
  if (found === null) return "null";
  if (typeof found === "number" && !Number.isFinite(found)) return String(found);
  return Array.isArray(found) ? "an array" : typeof found === "object" ? "an object" : `a ${typeof found}`;
}

const named = (expected: string) => `${/^[aeio]/.test(expected) ? "an" : "a"} ${expected}`;

/** `primitives.ts` words its own issues, and a caller's schema may do so, too; of the rest, zod's small build words none. */
function sentence(issue: Found, value: unknown): string {
  if (issue.code === "invalid_type") return `expected ${named(issue.expected)}, received ${kindAt(value, issue.path)}`;
  return issue.message;
}

/** The issues of one validation, one for each field that is wrong. `value` is what was validated. */
export function describeIssues(issues: readonly Found[], value: unknown): Issue[] {
  return issues.flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => ({ path: pathText([...issue.path, key]), message: "is not known here" }))
      : [{ path: pathText(issue.path), message: sentence(issue, value) }],
  );
}
