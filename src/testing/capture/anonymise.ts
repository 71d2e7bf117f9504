/**
 * Replaces everything private in a captured account, by the kind of each value: ids, dates, URLs, other texts, and
 * numbers that are no measure. Equal texts have equal replacements, so that ids and names still belong together.
 */

import { DAY_MS } from "../../async/timers.js";
import { isRecord } from "../../json/is-record.js";
import { parseJson } from "../../json/parse-json.js";
import type { CapturedAccount, CapturedMeeting, Json } from "./captured-account.js";
import { MadeUp } from "./made-up.js";

/**
 * The fields of a record. `replaced` is any private value; a kept name, measure or block type tells nothing of a
 * person. A table has the fields of the records in the field.
 */
interface Fields {
  readonly [name: string]: "replaced" | "name" | "measure" | "content" | "block type" | Fields;
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

const BLOCK_TYPES: ReadonlySet<unknown> = new Set(["heading", "paragraph", "list", "table"]);

const namesIn = (fields: Fields): string[] =>
  Object.entries(fields).flatMap(([name, inside]) =>
    typeof inside === "string" ? [name] : [name, ...namesIn(inside)],
  );

/** The names that a schema has. They are kept everywhere. */
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
  return new Anonymiser(textsIn(account)).account(account);
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

  account({ rooms, meetings, documents, webhooks, events, automation }: CapturedAccount): CapturedAccount {
    return {
      rooms: rooms.map(({ row, owned, meetingIds }) => ({
        row: this.#record(row, ROOM),
        owned,
        meetingIds: meetingIds.map((id) => this.#id(id)),
      })),
      meetings: meetings.map((meeting) => this.#meeting(meeting)),
      documents: documents.map(({ id, reference, document }) => ({
        id: this.#id(id),
        reference: reference && this.#record(reference, DOCUMENT),
        document: document && this.#record(document, DOCUMENT),
      })),
      webhooks: webhooks.map((webhook) => this.#record(webhook, WEBHOOK)),
      events: events.map((event) => this.#record(event, EVENT)),
      automation,
    };
  }

  #meeting(meeting: CapturedMeeting): CapturedMeeting {
    const { row, summary, transcript, permissions, documentIds } = meeting;
    return {
      ...meeting,
      id: this.#id(meeting.id),
      row: row && this.#record(row, MEETING),
      summary: summary && this.#record(summary, MEETING),
      documentIds: documentIds.map((id) => this.#id(id)),
      transcript: transcript && this.#record(transcript, TRANSCRIPT),
      permissions: permissions.map((permission) => this.#record(permission, PERMISSION)),
      share_url: this.#value(meeting.share_url),
    };
  }

  #record(record: Json, fields: Fields = {}): Json {
    const isKnown = (name: string) => Object.hasOwn(fields, name);
    return Object.fromEntries(
      Object.entries(record).map(([name, value]) => [
        SCHEMA_NAMES.has(name) ? name : this.#fieldName(name),
        this.#field(name, value, isKnown(name) ? fields[name] : "replaced"),
      ]),
    );
  }

  #field(name: string, value: unknown, rule: Fields[string] = "replaced"): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#field(name, item, rule));
    if (typeof rule === "object") return isRecord(value) ? this.#record(value, rule) : this.#value(value);
    if (rule === "name" && typeof value === "string") return value;
    if (rule === "measure" && typeof value === "number") return value;
    if (rule === "block type" && BLOCK_TYPES.has(value)) return value;
    if (rule === "content" && typeof value === "string") return this.#content(value);
    return typeof value === "string" && /^(id|.+_id)$/.test(name) && !isDate(value)
      ? this.#id(value)
      : this.#value(value);
  }

  /** Replaces a value by another one of the same kind. */
  #value(value: unknown): unknown {
    if (typeof value === "string") return this.#text(value);
    if (typeof value === "number") return this.#madeUp.number(value);
    if (Array.isArray(value)) return value.map((item) => this.#value(item));
    return isRecord(value) ? this.#record(value) : value;
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
      blocks.map((block: unknown) => (isRecord(block) ? this.#record(block, BLOCK) : this.#value(block))),
    );
  }
}
