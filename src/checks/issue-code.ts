/** The codes of issues. A message may change; a code stays, so that an application can write its own sentence for it. */
import type * as z from "zod/mini";

/**
 * What is wrong with a field, as a name that will not change:
 * - `missing`: the field is required
 * - `wrong_type`: for example a number where a string is expected
 * - `too_short`, `too_long`: the length of a text or a list
 * - `too_small`, `too_large`: a number
 * - `not_one_of`: not one of the allowed values
 * - `unknown_option`: the field or option does not exist
 * - `invalid_id`: not an id of this kind
 * - `not_a_link`: not an absolute URL
 * - `unsupported_link`: a URL that is not accepted here, such as a link to another conference service
 * - `invalid`: anything else
 */
export type IssueCode =
  | "missing"
  | "wrong_type"
  | "too_short"
  | "too_long"
  | "too_small"
  | "too_large"
  | "not_one_of"
  | "unknown_option"
  | "invalid_id"
  | "not_a_link"
  | "unsupported_link"
  | "invalid";

/** The code of a check of our own, or how it depends on the received value. */
type CodeOf = IssueCode | ((received: unknown) => IssueCode);

/** The part of a check's options that sets the code of its issues. */
/* @__NO_SIDE_EFFECTS__ */
export const issueCode = (code: CodeOf) => ({ params: { code } });

export function codeOf(issue: z.core.$ZodIssue, received: unknown): IssueCode {
  const code = issue.code === "custom" ? (issue.params?.code as CodeOf | undefined) : undefined;
  if (received === undefined && (code === undefined || issue.path.length > 0)) return "missing";
  if (code !== undefined) return typeof code === "function" ? code(received) : code;
  return CODES[issue.code]?.("origin" in issue ? issue.origin : "") ?? "invalid";
}

/** The origin of an issue is the kind of value: a number has a size, a string or a list a length. */
const CODES: Readonly<Partial<Record<z.core.$ZodIssue["code"], (origin: string) => IssueCode>>> = {
  invalid_type: () => "wrong_type",
  invalid_value: () => "not_one_of",
  too_small: (origin) => (HAS_LENGTH.includes(origin) ? "too_short" : "too_small"),
  too_big: (origin) => (HAS_LENGTH.includes(origin) ? "too_long" : "too_large"),
};
const HAS_LENGTH = ["string", "array", "set", "map", "file"];
