/**
 * Brings the index up to date: a consumer of the versions of meetings. A transaction replaces the passages of a meeting
 * only if its version is still the one that was read, so another process, a slow one and a kill do no harm.
 */
import { throwIfAborted } from "../../async/abort.js";
import { orUndefined } from "../../json/or-undefined.js";
import type { SqlDriver, SqlStatement } from "../driver.js";
import { parametersOf } from "../rows.js";
import { rowsOf, type Syntax } from "../syntax.js";
import { documentPassages, MAX_PASSAGES, type Passage, TEXT_FORMATS, transcriptPassages } from "./passages.js";
import { wordsOf } from "./words.js";

/** How far an update of the index is. */
export interface IndexProgress {
  /** How many meetings have been indexed. */
  readonly indexed: number;
  /** How many meetings had to be indexed when the update began. */
  readonly total: number;
}

/** Options of `archive.update`. */
export interface UpdateOptions {
  /** Ends the update with the signal's reason. What was indexed stays. */
  signal?: AbortSignal | undefined;
  /** Called after each transaction. */
  onProgress?: ((progress: IndexProgress) => void) | undefined;
}

/** How many meetings a transaction indexes: other writers wait for it. */
const BATCH = 20;

/** The words of titles and names that count. */
const MAX_TITLE_WORDS = 50;

interface MeetingRow {
  readonly id: string;
  readonly version: number | string;
  readonly title: string | null;
  readonly transcript: string | null;
}

interface DocumentRow {
  readonly meeting_id: string;
  readonly id: string;
  readonly format: string;
  readonly title: string | null;
  readonly content: string;
}

/** A text of a meeting: its transcript or a document. */
interface IndexedText {
  readonly id: string;
  readonly version: number | string;
  readonly document_id: string;
  readonly format: string;
  readonly title: string;
  readonly passages: readonly Passage[];
}

export function updateStatements(syntax: Syntax) {
  const { statement, texts } = syntax;
  // In SQLite, CROSS JOIN keeps the order of the tables: another order reads the rows once for each meeting.
  const same = "r.id = m.id AND r.version = m.version";
  // Versions below the newest one of the index are done, unless the account's rows were deleted and begin anew.
  const pending = `FROM notetaker_meetings AS m
    LEFT JOIN notetaker_passages AS p ON p.account = m.account AND p.meeting_id = m.id AND p.document_id = ''
    WHERE m.account = ? AND p.version IS DISTINCT FROM m.version AND m.version >= (
      SELECT CASE WHEN done > newest THEN 0 ELSE done END FROM (
        SELECT coalesce((SELECT max(version) FROM notetaker_passages WHERE account = ?), 0) AS done,
          (SELECT max(version) FROM notetaker_meetings WHERE account = ?) AS newest
      ) AS v
    )`;
  const rows = rowsOf(syntax, { text: "document_id format", count: "version length" });
  const words = rowsOf(syntax, { text: "document_id title speaker words", count: "version position" });
  const orphans = `account = ? AND NOT EXISTS (SELECT 1 FROM notetaker_meetings AS m
    WHERE m.account = notetaker_passages.account AND m.id = notetaker_passages.meeting_id)`;
  return {
    count: statement(`SELECT count(*) AS total ${pending}`),
    next: statement(
      `SELECT m.id, m.version, m.title, CAST(m.transcript AS text) AS transcript ${pending}
      ORDER BY m.version, m.id LIMIT ${BATCH}`,
    ),
    documents: statement(
      `SELECT meeting_id, id, format, title, content FROM notetaker_documents
      WHERE account = ? AND meeting_id IN (${texts}) AND format IN ('${TEXT_FORMATS.join("', '")}') ORDER BY id`,
    ),
    lock: syntax.lockForTables.map(statement),
    remove: statement(
      `DELETE FROM notetaker_passages WHERE (account, meeting_id) IN (
        SELECT m.account, m.id FROM (${rows}) AS r CROSS JOIN notetaker_meetings AS m WHERE m.account = ? AND ${same})`,
    ),
    addTexts: statement(
      `INSERT INTO notetaker_passages (account, meeting_id, document_id, format, length, version)
      SELECT m.account, m.id, r.document_id, r.format, r.length, m.version
      FROM (${rows}) AS r CROSS JOIN notetaker_meetings AS m WHERE m.account = ? AND ${same}`,
    ),
    addWords: statement(
      `INSERT INTO notetaker_words (${syntax.dialect === "sqlite" ? "rowid, title, speaker" : "text, position"}, words)
      SELECT ${syntax.dialect === "sqlite" ? `p.id * ${MAX_PASSAGES} + r.position, r.title, r.speaker, r.words` : "p.id, r.position, r.words::tsvector"}
      FROM (${words}) AS r CROSS JOIN notetaker_passages AS p
      WHERE p.account = ? AND p.meeting_id = r.id AND p.document_id = r.document_id AND p.version = r.version`,
    ),
    findOrphan: statement(`SELECT id FROM notetaker_passages WHERE ${orphans} LIMIT 1`),
    removeOrphans: statement(`DELETE FROM notetaker_passages WHERE ${orphans}`),
  };
}

export type UpdateStatements = ReturnType<typeof updateStatements>;

/** Indexes what is new or changed, and removes what has gone. Returns the number of meetings. */
export async function updateIndex(
  driver: SqlDriver,
  syntax: Syntax,
  account: string,
  { signal, onProgress }: UpdateOptions = {},
): Promise<number> {
  const sql = updateStatements(syntax);
  const scope = [account, account, account];
  const orphans = await driver.all(sql.findOrphan, [account]);
  if (orphans.length > 0) await driver.transaction([{ sql: sql.removeOrphans, params: [account] }]);
  let total: number | undefined;
  let indexed = 0;
  for (let before = ""; ; ) {
    throwIfAborted(signal);
    const meetings = (await driver.all(sql.next, scope)) as readonly MeetingRow[];
    const batch = JSON.stringify(meetings.map(({ id, version }) => [id, version]));
    // A batch that is still pending after its transaction can never be indexed: a trigger of the user may refuse it.
    if (meetings.length === 0 || batch === before) return indexed;
    before = batch;
    if (onProgress !== undefined && total === undefined) {
      const [row] = (await driver.all(sql.count, scope)) as readonly { total: number | string }[];
      total = Number(row?.total ?? 0);
    }
    const ids = JSON.stringify(meetings.map(({ id }) => id));
    const documents = (await driver.all(sql.documents, [account, ids])) as readonly DocumentRow[];
    await driver.transaction([...statementsOf(sql, syntax, account, textsOf(meetings, documents))]);
    indexed += meetings.length;
    onProgress?.({ indexed, total: Math.max(total ?? 0, indexed) });
  }
}

/** The transcript of each meeting, also one without passages, and its documents, each in its best format. */
function* textsOf(meetings: readonly MeetingRow[], documents: readonly DocumentRow[]): Generator<IndexedText> {
  for (const { id, version, title, transcript } of meetings) {
    const parsed: unknown = transcript === null ? undefined : orUndefined(() => JSON.parse(transcript));
    yield { id, version, document_id: "", format: "", title: title ?? "", passages: transcriptPassages(parsed) };
    const ofMeeting = documents.filter(({ meeting_id }) => meeting_id === id);
    for (const document_id of new Set(ofMeeting.map((document) => document.id))) {
      const [document] = TEXT_FORMATS.flatMap((format) =>
        ofMeeting.filter((one) => one.id === document_id && one.format === format),
      );
      if (document === undefined) continue;
      const passages = documentPassages(document.content, document.format);
      yield {
        id,
        version,
        document_id,
        format: document.format,
        title: `${title ?? ""} ${document.title ?? ""}`,
        passages,
      };
    }
  }
}

function* statementsOf(
  sql: UpdateStatements,
  { dialect }: Syntax,
  account: string,
  texts: Iterable<IndexedText>,
): Generator<SqlStatement> {
  for (const lock of sql.lock) yield { sql: lock, params: [] };
  const all = [...texts];
  const rows = all.map(({ passages, title: _, ...text }) => ({ ...text, length: passages.length }));
  const parts = [...parametersOf(rows)];
  for (const statement of [sql.remove, sql.addTexts]) {
    for (const part of parts) yield { sql: statement, params: [part, account] };
  }
  const words = (function* () {
    for (const { id, version, document_id, title, passages } of all) {
      const ofTitle = wordList(title, MAX_TITLE_WORDS);
      for (const [position, passage] of passages.entries()) {
        const columns = [ofTitle, wordList(passage.speaker ?? "", MAX_TITLE_WORDS), wordList(passage.text)] as const;
        yield {
          id,
          version,
          document_id,
          position,
          ...(dialect === "sqlite" ? columnTexts(columns) : { words: vector(columns) }),
        };
      }
    }
  })();
  for (const part of parametersOf(words)) yield { sql: sql.addWords, params: [part, account] };
}

const wordList = (text: string, max?: number) =>
  wordsOf(text)
    .slice(0, max)
    .map(({ word }) => word);

type WordColumns = readonly [title: string[], speaker: string[], words: string[]];

const columnTexts = ([title, speaker, words]: WordColumns) => ({
  title: title.join(" "),
  speaker: speaker.join(" "),
  words: words.join(" "),
});

/** Between two columns, so that no phrase goes from one into the next. */
const COLUMN_GAP = 10;

/** The words as a tsvector is written: `'price':14 'weekly':1A`, with the weights A for the title and B for the speaker. */
function vector(columns: WordColumns): string {
  const places = new Map<string, string[]>();
  let position = 0;
  for (const [column, words] of columns.entries()) {
    for (const word of words) {
      position += 1;
      const list = places.get(word) ?? [];
      list.push(`${position}${["A", "B", ""][column]}`);
      places.set(word, list);
    }
    position += COLUMN_GAP;
  }
  return [...places].map(([word, list]) => `'${word}':${list.join()}`).join(" ");
}
