/** Writes an error as a record for a log: plain JSON of limited size, whatever the error holds. */
import { andMore } from "../schemas/format-issues.js";
import { isErrorLike } from "./error-like.js";

/** The record as JSON stays under 64 KB; the rest is for the punctuation between the values. */
const MAX_BYTES = 48_000;
const MAX_TEXT = 2_048;
const MAX_KEY = 200;
const MAX_ITEMS = 20;
const MAX_FIELDS = 60;
const MAX_DEPTH = 8;
const MAX_CAUSES = 5;
/** An upper limit for what a value without text (a number, `null`, brackets) takes. */
const VALUE_BYTES = 26;

/** An upper limit for the bytes of a character in JSON: `\u0000` takes six. */
function bytesOf(text: string): number {
  let bytes = 2;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 0x22 || code === 0x5c) bytes += 2;
    else if (code < 0x20 || (code >= 0xd800 && code <= 0xdfff)) bytes += 6;
    else bytes += code < 0x80 ? 1 : 3;
  }
  return bytes;
}

/** JSON has no infinity: its largest number says the same of a duration. */
function jsonNumber(value: number): number | null {
  if (Number.isNaN(value)) return null;
  return Math.max(-Number.MAX_VALUE, Math.min(value, Number.MAX_VALUE));
}

const cutTo = (text: string, max: number) => (text.length > max ? `${text.slice(0, max)}…` : text);

/** Copies values as plain JSON until `MAX_BYTES` are used up. Its recursion ends at `MAX_DEPTH`. */
class RecordWriter {
  #remaining = MAX_BYTES;

  text(value: string, max = MAX_TEXT): string {
    let text = cutTo(value, max);
    // Six bytes a character at most: what fits then, fits surely.
    if (bytesOf(text) > this.#remaining) text = cutTo(text, Math.max(0, Math.floor(this.#remaining / 6) - 1));
    this.#remaining -= bytesOf(text);
    return text;
  }

  /** `undefined` for what JSON does not hold, such as a function. */
  value(value: unknown, depth = 0): unknown {
    if (typeof value === "string") return this.text(value);
    this.#remaining -= VALUE_BYTES;
    if (typeof value === "bigint") return this.text(String(value));
    if (typeof value === "number") return jsonNumber(value);
    if (typeof value === "boolean" || value === null) return value;
    if (typeof value !== "object") return undefined;
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
    if (depth >= MAX_DEPTH || this.#remaining <= 0) return this.text("…");
    return Array.isArray(value) ? this.#list(value, depth) : this.#fields(value, depth);
  }

  #list(list: readonly unknown[], depth: number): unknown[] {
    const items: unknown[] = [];
    while (items.length < Math.min(list.length, MAX_ITEMS + 1) && this.#remaining > 0) {
      items.push(this.value(list[items.length], depth + 1) ?? null);
    }
    // A list of one item more is shown whole: it may be one that was cut before, and counts what it leaves out.
    if (items.length < list.length) {
      items.splice(MAX_ITEMS);
      items.push(this.text(andMore(list.length - items.length)));
    }
    return items;
  }

  #fields(object: object, depth: number): Record<string, unknown> {
    const record: Record<string, unknown> = {};
    let count = 0;
    for (const key in object) {
      if (!Object.hasOwn(object, key)) continue;
      if (count >= MAX_FIELDS || this.#remaining <= 0) {
        record["…"] = this.text("and more");
        break;
      }
      const value = this.value(readField(object, key), depth + 1);
      if (value === undefined) continue;
      setField(record, this.text(key, MAX_KEY), value);
      count += 1;
    }
    return record;
  }

  /** An error by name, message, code and cause; anything else as a text. */
  cause(cause: unknown, depth = 0): unknown {
    if (cause === undefined || cause === null) return undefined;
    if (!isErrorLike(cause)) return this.text(asText(cause));
    return {
      name: this.text(asText(readField(cause, "name")), MAX_KEY),
      message: this.text(cause.message),
      code: this.#code(readField(cause, "code")),
      cause: depth < MAX_CAUSES ? this.cause(readField(cause, "cause"), depth + 1) : undefined,
    };
  }

  #code(code: unknown): string | number | undefined {
    if (typeof code === "string") return this.text(code, MAX_KEY);
    return typeof code === "number" ? code : undefined;
  }
}

function readField(object: object, key: string): unknown {
  try {
    return (object as Record<string, unknown>)[key];
  } catch {
    return undefined;
  }
}

/** As an own field, also `__proto__`. */
function setField(record: object, key: string, value: unknown): void {
  Object.defineProperty(record, key, { value, enumerable: true, configurable: true, writable: true });
}

function asText(value: unknown): string {
  try {
    return String(value);
  } catch {
    return typeof value;
  }
}

/** The record of `error`: its own fields but for `headers`, its name and message, and its cause in short. */
export function toRecord(error: Error): Record<string, unknown> {
  const writer = new RecordWriter();
  const name = writer.text(error.name, MAX_KEY);
  const message = writer.text(error.message);
  const cause = writer.cause(error.cause);
  const {
    headers: _headers,
    name: _name,
    message: _message,
    cause: _cause,
    ...fields
  } = { ...error } as Record<string, unknown>;
  const record = { name, message, ...(writer.value(fields) as object), cause };
  if (cause === undefined) delete (record as { cause?: unknown }).cause;
  return record;
}
