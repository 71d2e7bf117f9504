/**
 * Brings the index up to date: a consumer of the versions of meetings. A transaction replaces the passages of a meeting
 * only if its version is still the one that was read, so another process, a slow one and a kill do no harm.
 */
import * as z from "zod/mini";
import { throwIfAborted } from "../../async/abort.js";
import { pause } from "../../async/timers.js";
import { functionOf, type Infer } from "../../schemas/primitives.js";
import { readOptionsShape } from "../../sync/period.js";
import { parametersOf } from "../rows.js";
import type { StoredAccount } from "../stored-account.js";
import { rowsOf } from "../syntax.js";
import { WORDS } from "./index-tables.js";
import { DOCUMENT, type Place, passagesOf } from "./passages.js";
import { accountWords, wordsOf } from "./words.js";

/** How far an update of the index is. */
export interface IndexProgress {
  /** How many meetings have been indexed. */
  readonly indexed: number;
  /** How many meetings have to be indexed by this update, as far as is known. */
  readonly total: number;
}

export const updateOptions = {
  /** Ends the update with the signal's reason. What was indexed stays. */
  signal: readOptionsShape.signal,
  /** Called after each transaction. */
  onProgress: z.optional(functionOf<(progress: IndexProgress) => void>()),
};

/** Options of `archive.update`. */
export interface UpdateOptions extends Infer<typeof updateOptions> {}

/**
 * What Postgres refuses if a meeting is removed while its passages are written: they refer to none any more, or the two
 * transactions wait for each other.
 */
const REMOVED_MEANWHILE: ReadonlySet<unknown> = new Set(["23503", "40P01"]);
const MAX_ATTEMPTS = 10;

/** How many meetings a transaction indexes: other writers wait for it. */
const BATCH = 20;

/** The words of a title or a name that count. */
const MAX_TITLE_WORDS = 50;

interface PendingMeeting {
  readonly id: string;
  readonly version: number | string;
  /** How many meetings are pending. */
  readonly pending: number | string;
}

/** A transcript, or none, or a document. */
interface StoredText {
  readonly id: string;
  readonly version: number | string;
  readonly title: string | null;
  readonly document_id: string;
  readonly document_title: string | null;
  readonly format: string;
  readonly content: string | null;
}

/** Indexes what is new or changed. Returns the number of meetings. */
export async function updateIndex(stored: StoredAccount, options: UpdateOptions): Promise<number> {
  const { driver, account } = stored;
  const { signal, onProgress } = options;
  const sql = statementsOf(stored);
  let indexed = 0;
  for (let last = "", attempt = 1; ; ) {
    throwIfAborted(signal);
    const meetings = (await driver.all(sql.next, Array(4).fill(account))) as readonly PendingMeeting[];
    const batch = JSON.stringify(meetings.map(({ id, version }) => [id, version]));
    // A batch that is still pending after its transaction can never be indexed: a trigger of the user may refuse it.
    if (meetings.length === 0 || batch === last) return indexed;
    last = batch;
    const total = indexed + Number(meetings[0]?.pending);
    const wanted = [account, JSON.stringify(meetings.map(({ id }) => id))];
    const texts = (await driver.all(sql.texts, [...wanted, ...wanted])) as readonly StoredText[];
    const each = (statements: readonly string[], rows: Iterable<object>) =>
      [...parametersOf(rows)].flatMap((part) => statements.map((sql) => ({ sql, params: [part, account] })));
    const statements = [
      ...stored.syntax.lockForTables.map((sql) => ({ sql, params: [] })),
      ...each([sql.remove], meetings),
      ...each(
        sql.add,
        texts.flatMap((text) => [...passageRows(text, stored)]),
      ),
    ];
    try {
      await driver.transaction(statements);
      attempt = 1;
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !REMOVED_MEANWHILE.has((error as { code?: unknown }).code)) throw error;
      attempt += 1;
      last = "";
      continue;
    }
    indexed += meetings.length;
    onProgress?.({ indexed, total });
    // A database that answers at once lets no signal and no timer in.
    await pause(0, signal);
  }
}

function statementsOf({ syntax }: StoredAccount) {
  const { dialect, statement } = syntax;
  // What is below the newest version of the index is done: a passage goes with its meeting. The sign keeps SQLite from
  // reading all passages of a version.
  const pending = `FROM notetaker_meetings AS m WHERE m.account = ?
    AND m.version >= coalesce((SELECT max(version) FROM notetaker_passages WHERE account = ?), 0)
    AND NOT EXISTS (SELECT 1 FROM notetaker_passages AS p
      WHERE p.account = m.account AND p.meeting_id = m.id AND +p.version = m.version)`;
  const columns = { text: "document_id title speaker words", count: "version segment segments part" };
  // In SQLite, CROSS JOIN keeps the order of the tables: another order reads the rows once for each meeting.
  const same = `(${rowsOf(syntax, columns)}) AS r CROSS JOIN notetaker_meetings AS m
    WHERE m.account = ? AND r.id = m.id AND r.version = m.version`;
  const add = `INSERT INTO notetaker_passages (account, meeting_id, document_id, segment, segments, part, version`;
  const values = "SELECT m.account, m.id, r.document_id, r.segment, r.segments, r.part, m.version";
  const addWords = `INSERT INTO notetaker_words (rowid, title, speaker, ${WORDS})
    SELECT p.id, r.title, r.speaker, r.words FROM (${rowsOf(syntax, columns)}) AS r
    CROSS JOIN notetaker_passages AS p WHERE p.account = ? AND p.meeting_id = r.id AND p.version = r.version
      AND p.document_id = r.document_id AND p.segment = r.segment AND p.part = r.part`;
  const texts = (columns: string, from: string) => `SELECT m.id, m.version, m.title, ${columns}
    FROM notetaker_meetings AS m ${from} WHERE m.account = ? AND m.id IN (${syntax.texts})`;
  return {
    next: statement(
      `SELECT m.id, m.version, (SELECT count(*) ${pending}) AS pending ${pending}
      ORDER BY m.version, m.id LIMIT ${BATCH}`,
    ),
    texts: statement(
      `${texts("'' AS document_id, NULL AS document_title, '' AS format, CAST(m.transcript AS text) AS content", "")}
      UNION ALL ${texts("d.id, d.title, d.format, d.content", `JOIN ${DOCUMENT}`)}`,
    ),
    remove: statement(
      `DELETE FROM notetaker_passages WHERE (account, meeting_id) IN (SELECT m.account, m.id FROM ${same})`,
    ),
    add: (dialect === "sqlite"
      ? [`${add}) ${values} FROM ${same}`, addWords]
      : [`${add}, ${WORDS}) ${values}, r.words::tsvector FROM ${same}`]
    ).map(statement),
  };
}

/** A text without passages has one without words, or its meeting would be pending for ever. */
function* passageRows(text: StoredText, { syntax: { dialect }, account }: StoredAccount) {
  const { id, version, document_id, title, document_title, content, format } = text;
  const rowOf = (place: Place, ...columns: string[][]) => {
    const [ofTitle, speaker, words] = columns.map((column) => column.join(" "));
    const indexed = dialect === "sqlite" ? { title: ofTitle, speaker, words } : { words: vector(columns) };
    return { id, version, document_id, ...place, ...indexed };
  };
  const passages = passagesOf(content, format);
  if (passages.length === 0) yield rowOf({ segment: 0, segments: 0, part: 0 }, [], [], []);
  const ofTitle = [...wordList(`${title ?? ""} ${document_title ?? ""}`, MAX_TITLE_WORDS), ...accountWords(account)];
  for (const { place, text, speaker = "" } of passages) {
    yield rowOf(place, ofTitle, wordList(speaker, MAX_TITLE_WORDS), wordList(text));
  }
}

const wordList = (text: string, max?: number) =>
  wordsOf(text)
    .slice(0, max)
    .map(({ word }) => word);

/** Between two columns, so that no phrase goes from one into the next. */
const COLUMN_GAP = 10;

/** The words as a tsvector is written: `'price':14 'weekly':1A`, with the weights A for the title and B for the speaker. */
function vector(columns: readonly string[][]): string {
  const places = new Map<string, string[]>();
  let position = 0;
  for (const [column, words] of columns.entries()) {
    for (const word of words) {
      position += 1;
      const ofWord = places.get(word) ?? [];
      ofWord.push(`${position}${["A", "B", ""][column]}`);
      places.set(word, ofWord);
    }
    position += COLUMN_GAP;
  }
  return [...places].map(([word, list]) => `'${word}':${list.join()}`).join(" ");
}
