/** Converts an error to a record for a log: plain JSON of limited size, for any contents of the error. */

import { andMore, MAX_ISSUES } from "../checks/format-issues.js";
import { orUndefined } from "../json/or-undefined.js";
import { textOf } from "../json/text-of.js";

/** An error by its shape: for errors of another realm (test runner, iframe), `instanceof Error` is false. */
export interface ErrorLike {
  name: string;
  message: string;
  code?: unknown;
  cause?: unknown;
  errors?: readonly unknown[];
}

export const isErrorLike = (value: unknown): value is ErrorLike =>
  typeof value === "object" && value !== null && typeof (value as Partial<ErrorLike>).message === "string";

export const messageOf = (thrown: unknown): string => (isErrorLike(thrown) ? thrown.message : textOf(thrown));

const MAX_RECORD_TEXT = 2_048;
const MAX_FIELDS = 60;
/** How many causes a record has, each inside of the other, and how deep its fields may be nested. */
const MAX_RECORD_DEPTH = 8;

/** JSON has no infinity. For a duration, the largest number means the same. */
const jsonNumber = (value: number): number | null => {
  const max = Number.MAX_VALUE;
  return Number.isNaN(value) ? null : Math.max(-max, Math.min(value, max));
};

/** An error as its name, message, code and cause; any other value as a text. */
function plainCause(cause: unknown, depth: number): unknown {
  if (cause === undefined || cause === null || depth === 0) return undefined;
  if (!isErrorLike(cause)) return textOf(cause);
  const read = (name: keyof ErrorLike) => orUndefined(() => cause[name]);
  const code = read("code");
  return {
    name: textOf(read("name")),
    message: cause.message,
    code: typeof code === "object" ? undefined : code,
    cause: plainCause(read("cause"), depth - 1),
  };
}

const copyText = (text: string): string =>
  text.length > MAX_RECORD_TEXT ? `${text.slice(0, MAX_RECORD_TEXT)}…` : text;

/** A list with one item more is kept whole: it may be a list of issues, whose last item counts the others. */
function copyList(list: readonly unknown[], depth: number): unknown[] {
  const max = list.length > MAX_ISSUES + 1 ? MAX_ISSUES : list.length;
  const items = list.slice(0, max).map((item) => copy(item, depth) ?? null);
  return max < list.length ? [...items, andMore(list.length - max)] : items;
}

function copyFields(object: object, depth: number): Record<string, unknown> {
  const names = Object.keys(object);
  const entries = names.slice(0, MAX_FIELDS).flatMap((name): [string, unknown][] => {
    // A getter of the application may throw.
    const read = () => object[name as never];
    const value = copy(orUndefined(read), depth);
    return value === undefined ? [] : [[copyText(name), value]];
  });
  return Object.fromEntries(names.length > MAX_FIELDS ? [...entries, ["…", "…"]] : entries);
}

/** Returns `undefined` for a value that JSON cannot express, such as a function. */
function copy(value: unknown, depth: number): unknown {
  if (typeof value === "string" || typeof value === "bigint") return copyText(String(value));
  if (typeof value === "number") return jsonNumber(value);
  if (typeof value === "boolean" || value === null) return value;
  if (typeof value !== "object") return undefined;
  if (value instanceof Date) return value.toJSON();
  if (depth === 0) return "…";
  return Array.isArray(value) ? copyList(value, depth - 1) : copyFields(value, depth - 1);
}

/** The record of `error`: its name and message, its fields except `headers`, and a short form of its cause. */
export function toRecord(error: Error): Record<string, unknown> {
  const { name, message } = error;
  const cause = plainCause(error.cause, MAX_RECORD_DEPTH);
  // The most important fields come first, in case the rest is cut.
  const record = Object.assign({ name, message, cause }, error, { headers: undefined, cause });
  return copy(record, MAX_RECORD_DEPTH + 1) as Record<string, unknown>;
}
