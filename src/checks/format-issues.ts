/** The issues that a schema found, and how messages describe received values. */
import type * as z from "zod/mini";
import { codeOf, type IssueCode } from "./issue-code.js";
import { unknownName } from "./unknown-name.js";

/** One invalid field. */
export interface Issue {
  /** The path of the field, such as `meetings[0].id`; empty for the value as a whole. */
  path: string;
  /** What is wrong, as a name that will not change. */
  code: IssueCode;
  /** What was expected, and what was received. */
  message: string;
}

/** An issue for the constructor of an error. Default of `code`: `invalid`. */
export type IssueInit = Omit<Issue, "code"> & Partial<Pick<Issue, "code">>;

export const withCodes = (issues: readonly IssueInit[] = []): readonly Issue[] =>
  issues.map(({ path, code = "invalid", message }) => ({ path, code, message }));

export const andMore = (count: number): string => `and ${count.toLocaleString("en-US")} more`;

/** The number in `and 99,980 more`, the last entry of a list that was cut; 0 for any other issue. */
export function omittedIn(issue: IssueInit | undefined): number {
  const count = issue?.path === "" ? /^and ([\d,]+) more$/.exec(issue.message)?.[1] : undefined;
  return count === undefined ? 0 : Number(count.replaceAll(",", ""));
}

type ZodIssue = z.core.$ZodIssue;

/** The maximum number of issues in a list. Further issues are only counted. */
export const MAX_ISSUES = 20;

/** The extra field of the last issue of a list, which counts the issues that were not kept. */
export interface OmittedIssues {
  readonly omitted: number;
}

/** The maximum length of a path: the keys of received data may be of any length. */
const MAX_PATH = 200;

/** `["meetings", 0, "id"]` as `meetings[0].id`. */
export function formatPath(path: readonly PropertyKey[]): string {
  let text = "";
  for (const key of path) {
    if (typeof key === "number") text += `[${key}]`;
    else text += text === "" ? String(key) : `.${String(key)}`;
    if (text.length > MAX_PATH) return `${text.slice(0, MAX_PATH)}…`;
  }
  return text;
}

export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let part: unknown = value;
  for (const key of path) part = (part as Record<PropertyKey, unknown> | null | undefined)?.[key];
  return part;
}

function namesAt(schema: z.core.$ZodType | undefined, path: readonly PropertyKey[]): string[] {
  let part: unknown = schema;
  const definition = () => (part as { _zod?: { def?: Record<string, unknown> } } | undefined)?._zod?.def;
  const unwrap = () => {
    while (definition()?.innerType !== undefined) part = definition()?.innerType;
  };
  for (const key of path) {
    unwrap();
    const { shape, element } = definition() ?? {};
    part = typeof key === "number" ? element : (shape as Record<PropertyKey, unknown> | undefined)?.[key];
  }
  unwrap();
  return Object.keys((definition()?.shape as object | undefined) ?? {});
}

const omittedBy = (issue: ZodIssue): number =>
  (issue.code === "custom" && (issue.params as Partial<OmittedIssues> | undefined)?.omitted) || 0;

/** zod/mini has no messages of its own. Those of `primitives.ts` and of a caller's schema stay. */
function issueMessage(issue: ZodIssue, value: unknown): string {
  const isOurs = issue.message.startsWith("expected ");
  if (issue.code === "invalid_type" && !isOurs) return expectedType(issue.expected, valueAt(value, issue.path));
  return issue.message;
}

/** Another argument of the same call, in which a name may have been meant. */
export interface OtherArgument {
  readonly schema: z.core.$ZodType;
  /** 0 for the first argument. */
  readonly position: number;
}

const ORDINALS = ["first", "second", "third", "fourth"];

/** At most 20 issues, then a count. An unknown name gets a suggestion, or the argument it belongs in. */
export function formatIssues(
  issues: readonly ZodIssue[],
  value: unknown,
  schema?: z.core.$ZodType,
  noun = "option",
  other?: OtherArgument,
): Issue[] {
  const formatted: Issue[] = [];
  let omitted = 0;
  const add = (issue: () => Issue) => {
    if (formatted.length < MAX_ISSUES) formatted.push(issue());
    else omitted += 1;
  };
  for (const issue of issues) {
    const more = omittedBy(issue);
    if (more > 0) omitted += more;
    else if (issue.code !== "unrecognized_keys") {
      add(() => ({
        path: formatPath(issue.path),
        code: codeOf(issue, valueAt(value, issue.path)),
        message: issueMessage(issue, value),
      }));
    } else {
      const allowed = namesAt(schema, issue.path);
      const elsewhere = issue.path.length === 0 ? namesAt(other?.schema, []) : [];
      const messageFor = (key: string) =>
        elsewhere.includes(key)
          ? `unknown ${noun}; ${key} belongs in the ${ORDINALS[other?.position ?? 0]} argument`
          : unknownName(key, allowed, noun);
      for (const key of issue.keys) {
        add(() => ({ path: formatPath([...issue.path, key]), code: "unknown_option", message: messageFor(key) }));
      }
    }
  }
  if (omitted > 0) formatted.push({ path: "", code: "invalid", message: andMore(omitted) });
  return formatted;
}

/** A message repeats at most this many characters of a text. */
const MAX_QUOTED = 60;

const withArticle = (noun: string) => `${/^[aeio]/.test(noun) ? "an" : "a"} ${noun}`;

/** Only the kind of `value`: `a string`, `null`. Its content may be a secret or a conversation. */
export function kindOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (value === "") return "an empty string";
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  if (Array.isArray(value)) return "an array";
  if (value instanceof Date && Number.isNaN(value.getTime())) return "an invalid Date";
  return withArticle(typeof value);
}

/** `expected integer` as `expected an integer, received a string`. */
export const expectedType = (type: string, value: unknown): string =>
  `expected ${withArticle(type)}, received ${kindOf(value)}`;

/** A text, number or boolean as it is: `"mine"`, `500`; any other value as its kind. Not for secrets. */
export function quoted(value: unknown): string {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value !== "string") return kindOf(value);
  return JSON.stringify(value.length <= MAX_QUOTED ? value : `${value.slice(0, MAX_QUOTED)}…`);
}
