/** What a batch becomes in the tables: rows, passed to the database as JSON. */
import type { Document } from "../schemas/document.js";
import { parseTimestamp } from "../schemas/primitives.js";
import type { StoreItem } from "../sync/store.js";
import type { Dialect } from "./syntax.js";

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
const json = (dialect: Dialect, value: unknown) => (dialect === "sqlite" ? JSON.stringify(value) : value);

export function meetingRow(dialect: Dialect, item: StoreItem) {
  const { id, before, meeting, missing, isGone, hasRecording, transcript, documents, documentsGone } = item;
  return {
    id,
    before,
    ...(meeting && {
      title: textOrNull(meeting.title),
      status: textOrNull(meeting.status),
      source: textOrNull(meeting.source),
      start_time: textOrNull(meeting.start_time),
      started_at: startedAt(meeting.start_time),
      duration: typeof meeting.duration === "number" ? meeting.duration : null,
      meeting: json(dialect, meeting),
    }),
    has_recording: hasRecording,
    missing: json(dialect, missing),
    complete: missing.every(({ retryable }) => !retryable),
    gone: isGone,
    touched: transcript !== undefined || documents.length > 0 || documentsGone.length > 0,
  };
}

export const documentRow = ({ id, before, documentKinds }: StoreItem, document: Document) => ({
  id,
  before,
  document_id: document.id,
  format: document.format,
  title: textOrNull(document.title),
  kind: documentKinds.get(document.id),
  created_at: textOrNull(document.created_at),
  // A document that does not match the API specification may have none.
  content: document.content ?? "",
});

/** An escape in JSON; longer than two characters if it is one of U+0000 or of a single surrogate. */
const ESCAPE = /\\(?:u0000|ud[89a-f]..|.)/g;
const MAY_BE_UNSTORABLE = /\\u(?:0000|d[89a-f])/;

/**
 * JSON in which U+FFFD replaces U+0000 and single surrogates, which Postgres cannot store. `JSON.stringify` writes them
 * as escapes, and no other character as `\u0000` or `\ud…`.
 */
function storableJson(value: unknown): string {
  const text = JSON.stringify(value);
  if (!MAY_BE_UNSTORABLE.test(text)) return text;
  return text.replace(ESCAPE, (found) => (found.length > 2 ? "\\ufffd" : found));
}

/** A parameter that is one JSON value. SQLite keeps the U+0000 and single surrogates of JSON, as escapes. */
export const jsonParameter = (dialect: Dialect, value: unknown): string =>
  dialect === "sqlite" ? JSON.stringify(value) : storableJson(value);

/** The length of a parameter, unless one row is longer: D1 takes 2 MB. */
const MAX_LENGTH = 500_000;

/** The rows as JSON lists. */
export function* parametersOf(rows: Iterable<unknown>): Generator<string> {
  let texts: string[] = [];
  let length = 0;
  for (const row of rows) {
    const text = storableJson(row);
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

/** A text without U+0000 and single surrogates. */
export const storable = (text: string): string => text.replace(/[\0\ud800-\udfff]/gu, "\ufffd");

/** Whether `text` can be a key. Replacing characters in a key could make two keys the same. */
export const isStorable = (text: string): boolean => storable(text) === text;
