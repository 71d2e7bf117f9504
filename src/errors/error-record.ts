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

/** The JSON text of a record stays under 64 KB. After these bytes, open lists and objects are still to be closed. */
const MAX_RECORD_BYTES = 56_000;
const MAX_RECORD_TEXT = 2_048;
const MAX_FIELDS = 60;
/** How many causes a record has, each inside of the other, and how deep its fields may be nested. */
export const MAX_RECORD_DEPTH = 8;
/** The most bytes that a value without text, or the punctuation around any value, can take. */
const VALUE_BYTES = 26;

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

function jsonCopier() {
  let bytesLeft = MAX_RECORD_BYTES;

  const copyText = (text: string): string => {
    // A character takes at most six bytes.
    const length = Math.min(MAX_RECORD_TEXT, bytesLeft / 6);
    // `substring` reads a negative length as 0.
    const short = text.length > length ? `${text.substring(0, length)}…` : text;
    bytesLeft -= JSON.stringify(short).replace(/[\u0080-\uffff]/g, "***").length;
    return short;
  };

  /** A list with one item more is kept whole: it may be a list of issues, whose last item counts the others. */
  const copyList = (list: readonly unknown[], depth: number): unknown[] => {
    const max = list.length > MAX_ISSUES + 1 ? MAX_ISSUES : list.length;
    const items = list.slice(0, max).map((item) => copy(item, depth) ?? null);
    if (max < list.length) items.push(andMore(list.length - max));
    return items;
  };

  const copyFields = (object: object, depth: number): Record<string, unknown> => {
    const entries: [string, unknown][] = [];
    for (const name of Object.keys(object)) {
      if (entries.length >= MAX_FIELDS || bytesLeft <= 0) {
        entries.push(["…", "…"]);
        break;
      }
      // The name comes first, because the value may use up the remaining bytes.
      const shownName = copyText(name);
      const value = copy(
        orUndefined(() => object[name as never]),
        depth,
      );
      if (value !== undefined) entries.push([shownName, value]);
    }
    return Object.fromEntries(entries);
  };

  const copyObject = (value: object, depth: number): unknown => {
    if (value instanceof Date) return value.toJSON();
    if (depth === 0 || bytesLeft <= 0) return "…";
    return Array.isArray(value) ? copyList(value, depth - 1) : copyFields(value, depth - 1);
  };

  /** Returns `undefined` for a value that JSON cannot express, such as a function. */
  const copy = (value: unknown, depth: number): unknown => {
    bytesLeft -= VALUE_BYTES;
    if (typeof value === "string" || typeof value === "bigint") return copyText(String(value));
    if (typeof value === "object") return value && copyObject(value, depth);
    if (typeof value === "number") return jsonNumber(value);
    return typeof value === "boolean" ? value : undefined;
  };
  return copy;
}

/** The record of `error`: its name and message, its fields except `headers`, and a short form of its cause. */
export function toRecord(error: Error): Record<string, unknown> {
  const { name, message } = error;
  const cause = plainCause(error.cause, MAX_RECORD_DEPTH);
  // The most important fields come first, in case the rest is cut.
  const record = Object.assign({ name, message, cause }, error, { headers: undefined, cause });
  return jsonCopier()(record, MAX_RECORD_DEPTH + 1) as Record<string, unknown>;
}
