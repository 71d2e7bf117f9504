/** What a batch becomes in the tables: rows, passed to the database as JSON. */
import type { Document } from "../schemas/document.js";
import { parseTimestamp } from "../schemas/primitives.js";
import type { StoreItem } from "../sync/store/store.js";
import type { SqlDriver } from "./driver.js";

/** The columns of the rows that a statement gets, and what they hold. */
export type Columns = Readonly<Record<string, "text" | "json" | "time" | "flag" | "number">>;

export const MEETING_COLUMNS = {
  title: "text",
  status: "text",
  source: "text",
  start_time: "text",
  started_at: "time",
  duration: "number",
  meeting: "json",
} as const satisfies Columns;

export const ITEM_COLUMNS = {
  ...MEETING_COLUMNS,
  id: "text",
  before: "text",
  memory: "text",
  due_at: "time",
  transcript: "json",
  missing: "json",
  complete: "flag",
  gone: "flag",
  touched: "flag",
} as const satisfies Columns;

export const DOCUMENT_COLUMNS = {
  meeting_id: "text",
  id: "text",
  format: "text",
  title: "text",
  created_at: "text",
  content: "text",
} as const satisfies Columns;

type Row<C extends Columns> = { readonly [K in keyof C]?: unknown };

const textOrNull = (value: unknown) => (typeof value === "string" ? value : null);

/** SQLite compares times as texts, and Postgres has no year 0: only years of four digits. */
const FIRST_MS = Date.parse("0001-01-01T00:00:00Z");
const LAST_MS = Date.parse("9999-12-31T23:59:59.999Z");

export const timeText = (time: Date): string =>
  new Date(Math.min(Math.max(time.getTime(), FIRST_MS), LAST_MS)).toISOString();

function startedAt(startTime: unknown): string | null {
  const ms = typeof startTime === "string" ? parseTimestamp(startTime) : Number.NaN;
  return ms >= FIRST_MS && ms <= LAST_MS ? new Date(ms).toISOString() : null;
}

/** JSON is a text in SQLite, which reads JSON only to a depth of 1,000. */
const json = (dialect: SqlDriver["dialect"], value: unknown) => (dialect === "sqlite" ? JSON.stringify(value) : value);

export function itemRow(dialect: SqlDriver["dialect"], item: StoreItem): Row<typeof ITEM_COLUMNS> {
  const { id, before, memory, dueAt, meeting, transcript, missing, isGone } = item;
  return {
    id,
    before,
    memory,
    due_at: dueAt && timeText(dueAt),
    ...(meeting && {
      title: textOrNull(meeting.title),
      status: textOrNull(meeting.status),
      source: textOrNull(meeting.source),
      start_time: textOrNull(meeting.start_time),
      started_at: startedAt(meeting.start_time),
      duration: typeof meeting.duration === "number" ? meeting.duration : null,
      meeting: json(dialect, meeting),
    }),
    ...(transcript && { transcript: json(dialect, transcript) }),
    missing: json(dialect, missing),
    complete: missing.every(({ retryable }) => !retryable),
    gone: isGone,
    touched: transcript !== undefined || item.documents.length > 0 || item.documentsGone.length > 0,
  };
}

export const documentRow = (meetingId: string, document: Document): Row<typeof DOCUMENT_COLUMNS> => ({
  meeting_id: meetingId,
  id: document.id,
  format: document.format,
  title: textOrNull(document.title),
  created_at: textOrNull(document.created_at),
  // A document that does not match the API specification may have none.
  content: document.content ?? "",
});

/** An escape in JSON; longer than two characters if it is one of U+0000 or of a single surrogate. */
const ESCAPE = /\\(?:u0000|ud[89a-f]..|.)/g;

/** The length of a parameter, unless one row is longer: D1 takes 2 MB. */
const MAX_LENGTH = 500_000;

/**
 * The rows as JSON lists. U+0000 and single surrogates, which Postgres cannot store, are replaced by U+FFFD; in SQLite
 * they stay in what is JSON itself. `JSON.stringify` writes them as escapes, and no other character as `\u0000` or
 * `\ud…`.
 */
export function* parametersOf(rows: Iterable<unknown>): Generator<string> {
  let texts: string[] = [];
  let length = 0;
  for (const row of rows) {
    const text = JSON.stringify(row).replace(ESCAPE, (found) => (found.length > 2 ? "\\ufffd" : found));
    if (length + text.length > MAX_LENGTH && texts.length > 0) {
      yield `[${texts.join()}]`;
      texts = [];
      length = 0;
    }
    texts.push(text);
    length += text.length + 1;
  }
  if (texts.length > 0) yield `[${texts.join()}]`;
}

const UNSTORABLE = /[\0\ud800-\udfff]/gu;

/** A text without U+0000 and single surrogates. */
export const storable = (text: string): string => text.replace(UNSTORABLE, "\ufffd");

/** Whether `text` can be a key. Replacing characters in a key could make two keys the same. */
export const isStorable = (text: string): boolean => storable(text) === text;
