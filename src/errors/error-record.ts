/** Writes an error as a record for a log: plain JSON of limited size, whatever the error holds. */
import { andMore } from "../schemas/format-issues.js";
import { isErrorLike } from "./error-like.js";

/** The record as JSON stays under 64 KB; the rest is for the punctuation between the values. */
const MAX_BYTES = 56_000;
const MAX_TEXT = 2_048;
const MAX_NAME = 200;
const MAX_ITEMS = 20;
const MAX_FIELDS = 60;
const MAX_DEPTH = 8;
/** An upper limit for the bytes of a value without text, and for the punctuation around any value. */
const VALUE_BYTES = 26;

const cutTo = (text: string, max: number) => (text.length > max ? `${text.slice(0, Math.max(0, max))}…` : text);

/** JSON has no infinity: its largest number says the same of a duration. */
const jsonNumber = (value: number): number | null =>
  Number.isNaN(value) ? null : Math.max(-Number.MAX_VALUE, Math.min(value, Number.MAX_VALUE));

/** An upper limit for the bytes that `text` takes in JSON. */
const bytesOf = (text: string) => JSON.stringify(text).replace(/[\u0080-\uffff]/g, "***").length;

/** A field of anything: a getter may throw. */
function readField(object: object, name: string): unknown {
  try {
    return (object as Record<string, unknown>)[name];
  } catch {
    return undefined;
  }
}

function asText(value: unknown): string {
  try {
    return String(value);
  } catch {
    return typeof value;
  }
}

/** Copies values as plain JSON until `MAX_BYTES` are used up. Its recursion ends at `MAX_DEPTH`. */
class RecordWriter {
  #remaining = MAX_BYTES;

  text(value: string, max = MAX_TEXT): string {
    let text = cutTo(value, max);
    // A character takes at most six bytes.
    if (bytesOf(text) > this.#remaining) text = cutTo(text, Math.floor(this.#remaining / 6));
    this.#remaining -= bytesOf(text);
    return text;
  }

  /** `undefined` for what JSON does not hold, such as a function. */
  value(value: unknown, depth: number): unknown {
    this.#remaining -= VALUE_BYTES;
    if (typeof value === "string" || typeof value === "bigint") return this.text(String(value));
    if (typeof value === "number") return jsonNumber(value);
    if (typeof value === "boolean" || value === null) return value;
    if (typeof value !== "object") return undefined;
    if (value instanceof Date) return value.toJSON();
    if (depth >= MAX_DEPTH || this.#remaining <= 0) return "…";
    return Array.isArray(value) ? this.#list(value, depth) : this.fields(value, depth);
  }

  /** A list of one item more is shown whole: it may be one that was cut before, and counts what it leaves out. */
  #list(list: readonly unknown[], depth: number): unknown[] {
    const max = list.length > MAX_ITEMS + 1 ? MAX_ITEMS : list.length;
    const items = list.slice(0, max).map((item) => (this.#remaining > 0 ? (this.value(item, depth + 1) ?? null) : "…"));
    return max < list.length ? [...items, andMore(list.length - max)] : items;
  }

  fields(object: object, depth: number): Record<string, unknown> {
    const entries: [string, unknown][] = [];
    for (const name in object) {
      if (entries.length >= MAX_FIELDS || this.#remaining <= 0) {
        entries.push(["…", "and more"]);
        break;
      }
      if (!Object.hasOwn(object, name)) continue;
      const value = this.value(readField(object, name), depth + 1);
      if (value !== undefined) entries.push([this.text(name, MAX_NAME), value]);
    }
    return Object.fromEntries(entries);
  }

  /** An error by name, message, code and cause; anything else as a text. */
  cause(cause: unknown, depth: number): unknown {
    if (cause === undefined || cause === null || depth > MAX_DEPTH) return undefined;
    if (!isErrorLike(cause)) return this.text(asText(cause));
    const code = readField(cause, "code");
    return {
      name: this.text(asText(readField(cause, "name")), MAX_NAME),
      message: this.text(cause.message),
      code: typeof code === "string" || typeof code === "number" ? this.value(code, depth) : undefined,
      cause: this.cause(readField(cause, "cause"), depth + 1),
    };
  }
}

/** The record of `error`: its own fields but for `headers`, its name and message, and its cause in short. */
export function toRecord(error: Error): Record<string, unknown> {
  const writer = new RecordWriter();
  const name = writer.text(error.name, MAX_NAME);
  const message = writer.text(error.message);
  const cause = writer.cause(error.cause, 0);
  const { headers: _headers, cause: _cause, ...fields } = { ...error } as Record<string, unknown>;
  return { ...writer.fields(fields, 0), name, message, ...(cause === undefined ? {} : { cause }) };
}
