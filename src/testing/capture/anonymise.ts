/**
 * Replaces everything private in a captured account, by the kind of each value: ids, dates, URLs, other texts, and
 * numbers that are no measure. Equal texts have equal replacements, so that ids and names still belong together.
 */

import { DAY_MS } from "../../async/timers.js";
import { isRecord } from "../../json/is-record.js";
import { parseJson } from "../../json/parse-json.js";
import { MadeUp } from "./made-up.js";
import type { CapturedAccount, Json } from "./read-account.js";

/**
 * The fields of a record. `replaced` is any private value; a kept name, measure or block type tells nothing of a
 * person. A table has the fields of the records in the field.
 */
interface Fields {
  readonly [name: string]: "replaced" | "id" | "name" | "measure" | "content" | "block type" | Fields;
}

const replaced = <const N extends string>(...names: N[]) =>
  Object.fromEntries(names.map((name) => [name, "replaced"])) as Record<N, "replaced">;

const PERSON: Fields = replaced("id", "name", "email", "title", "company");

const DOCUMENT: Fields = { ...replaced("id", "title", "created_at"), format: "name", content: "content" };

/** For both the row of the meeting list and the summary in a room. */
const MEETING: Fields = {
  ...replaced("id", "title", "start_time", "end_time", "created_at"),
  status: "name",
  source: "name",
  duration: "measure",
  host: PERSON,
  participants: PERSON,
};

const ROOM: Fields = { ...replaced("id", "title", "created_at", "updated_at", "share_url"), meeting_count: "measure" };

const TRANSCRIPT: Fields = {
  ...replaced("meeting_id"),
  language: "name",
  speakers: replaced("id", "name"),
  segments: { ...replaced("speaker_id", "text"), start_time: "measure", end_time: "measure" },
};

const PERMISSION: Fields = {
  ...replaced("id"),
  role: "name",
  recipient: { ...replaced("id", "name", "email"), type: "name" },
};

const WEBHOOK: Fields = { ...replaced("id", "url", "enabled", "created_at", "updated_at", "secret"), events: "name" };

const EVENT: Fields = replaced("id", "title", "start_time", "end_time", "meeting_url", "bot_scheduled");

const BLOCK: Fields = { ...replaced("text", "items", "rows", "ordered"), type: "block type", level: "measure" };

/** The values that are kept. Any other value in such a field is replaced. */
const KEEPS: Partial<Record<string, (value: unknown) => boolean>> = {
  name: (value) => typeof value === "string",
  measure: (value) => typeof value === "number",
  "block type": (value) => /^(heading|paragraph|list|table)$/.test(String(value)),
};

const namesIn = (fields: Fields): string[] =>
  Object.entries(fields).flatMap(([name, inside]) =>
    typeof inside === "string" ? [name] : [name, ...namesIn(inside)],
  );

/** What a capture has read: the fields of this library, and in them the records of the service. */
const ACCOUNT: Fields = {
  rooms: { row: ROOM, owned: "replaced", meetingIds: "id" },
  meetings: {
    ...replaced("owned", "recording", "share_url"),
    id: "id",
    row: MEETING,
    summary: MEETING,
    documentIds: "id",
    transcript: TRANSCRIPT,
    permissions: PERMISSION,
  },
  documents: { id: "id", reference: DOCUMENT, document: DOCUMENT },
  webhooks: WEBHOOK,
  events: EVENT,
  automation: "name",
};

/** The names that a schema of the service has. They are kept everywhere. */
const SCHEMA_NAMES: ReadonlySet<string> = new Set(
  [DOCUMENT, MEETING, ROOM, TRANSCRIPT, PERMISSION, WEBHOOK, EVENT, BLOCK].flatMap(namesIn),
);

const ID = /^(mtg|room|doc|evt|whk|spk|usr|perm)_/;
const DATE = /^\d{4}-\d\d-\d\d$/;
const TIMESTAMP = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/;

/** The newest date of every capture. An emulator without `now` starts later. */
const NEWEST_DATE = Date.UTC(2025, 4, 30, 17);

/** Whether the text is a date or a timestamp. Other texts that `Date` can parse are not moved. */
const isDate = (text: string): boolean =>
  text.length <= 40 && (DATE.test(text) || TIMESTAMP.test(text)) && !Number.isNaN(Date.parse(text));

export function anonymise(account: CapturedAccount): CapturedAccount {
  return new Anonymiser(textsIn(account)).record({ ...account }, ACCOUNT) as unknown as CapturedAccount;
}

/** Every text in a value, with the names of fields. */
function textsIn(value: unknown, texts = new Set<string>()): Set<string> {
  if (typeof value === "string") texts.add(value);
  else if (Array.isArray(value)) for (const item of value) textsIn(item, texts);
  else if (isRecord(value)) {
    for (const [name, field] of Object.entries(value)) textsIn(field, texts.add(name));
  }
  return texts;
}

class Anonymiser {
  readonly #madeUp: MadeUp;
  readonly #replacements = new Map<string, string>();
  readonly #fieldNames = new Map<string, string>();
  /** By how many milliseconds all dates are moved. */
  readonly #moveMs: number;

  constructor(texts: ReadonlySet<string>) {
    this.#madeUp = new MadeUp(texts);
    const times = [...texts].filter(isDate).map((date) => Date.parse(date));
    this.#moveMs = NEWEST_DATE - times.reduce((newest, time) => Math.max(newest, time), Number.NEGATIVE_INFINITY);
  }

  record(record: Json, fields: Fields = {}): Json {
    const isKnown = (name: string) => Object.hasOwn(fields, name);
    return Object.fromEntries(
      Object.entries(record).map(([name, value]) => [
        isKnown(name) || SCHEMA_NAMES.has(name) ? name : this.#fieldName(name),
        this.#field(name, value, isKnown(name) ? fields[name] : "replaced"),
      ]),
    );
  }

  #field(name: string, value: unknown, rule: Fields[string] = "replaced"): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#field(name, item, rule));
    if (typeof rule === "object") return isRecord(value) ? this.record(value, rule) : this.#value(value);
    if (KEEPS[rule]?.(value)) return value;
    if (typeof value !== "string") return this.#value(value);
    if (rule === "content") return this.#content(value);
    return rule === "id" || (/^(id|.+_id)$/.test(name) && !isDate(value)) ? this.#id(value) : this.#text(value);
  }

  /** Replaces a value by another one of the same kind. */
  #value(value: unknown): unknown {
    if (typeof value === "string") return this.#text(value);
    if (typeof value === "number") return this.#madeUp.number(value);
    if (Array.isArray(value)) return value.map((item) => this.#value(item));
    return isRecord(value) ? this.record(value) : value;
  }

  #text(text: string): string {
    if (text === "") return text;
    if (isDate(text)) return this.#moved(text);
    if (ID.test(text)) return this.#id(text);
    return this.#replacement(text, () => (/^https?:/i.test(text) ? this.#madeUp.url(text) : this.#madeUp.words(text)));
  }

  #id(id: string): string {
    return this.#replacement(id, () => this.#madeUp.id(ID.exec(id)?.[0] ?? ""));
  }

  #replacement(original: string, make: () => string, known = this.#replacements): string {
    const replacement = known.get(original) ?? make();
    known.set(original, replacement);
    return replacement;
  }

  #fieldName(name: string): string {
    return this.#replacement(name, () => this.#madeUp.fieldName(name), this.#fieldNames);
  }

  /** The moved date, in the same form: a date stays a date. */
  #moved(text: string): string {
    if (DATE.test(text)) {
      const days = Math.round(this.#moveMs / DAY_MS);
      return new Date(Date.parse(text) + days * DAY_MS).toISOString().slice(0, 10);
    }
    const moved = new Date(Date.parse(text) + this.#moveMs);
    const hasFraction = text.includes(".") || moved.getUTCMilliseconds() !== 0;
    return hasFraction ? moved.toISOString() : moved.toISOString().replace(".000Z", "Z");
  }

  /** The content of a document: JSON blocks, or a text. */
  #content(text: string): string {
    const blocks = parseJson(text);
    if (!Array.isArray(blocks)) return this.#text(text);
    return JSON.stringify(
      blocks.map((block: unknown) => (isRecord(block) ? this.record(block, BLOCK) : this.#value(block))),
    );
  }
}
