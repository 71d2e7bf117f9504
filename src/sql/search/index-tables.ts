/**
 * The tables of the index. `notetaker_passages` says where each passage is: it has a row for each passage of a transcript (`document_id` is `""`) and of a
 * document, and goes with its meeting. In Postgres it has the words of the passage; in SQLite they are in the FTS5 table
 * `notetaker_words`, under the same id.
 */
import { ConfigurationError } from "../../errors/argument-errors.js";
import type { StoredAccount } from "../stored-account.js";
import type { Dialect } from "../syntax.js";
import { changeTables, existingColumns } from "../tables.js";

/**
 * The column of the words. It has the number of the index: whoever changes what words.ts or passages.ts makes, or these
 * tables, adds one. An index with another number is made anew, and a process that knows only that number fails.
 */
export const WORDS = "words_1";

const COLUMNS = `account text NOT NULL, meeting_id text NOT NULL, document_id text NOT NULL, segment integer NOT NULL,
  segments integer NOT NULL, part integer NOT NULL, version bigint NOT NULL,
  UNIQUE (account, meeting_id, document_id, segment, part)`;

const INDEX = "CREATE INDEX IF NOT EXISTS notetaker_passages_version ON notetaker_passages (account, version)";

const TABLES: Readonly<Record<Dialect, readonly string[]>> = {
  sqlite: [
    // No id is used again: a search may still have the id of a row that was deleted.
    `CREATE TABLE IF NOT EXISTS notetaker_passages (id integer PRIMARY KEY AUTOINCREMENT, ${COLUMNS})`,
    INDEX,
    `CREATE VIRTUAL TABLE IF NOT EXISTS notetaker_words USING fts5(title, speaker, ${WORDS}, content='',
      contentless_delete=1, tokenize="unicode61 remove_diacritics 0 categories 'L* M* N* Co'")`,
    `CREATE TRIGGER IF NOT EXISTS notetaker_passages_deleted AFTER DELETE ON notetaker_passages BEGIN
      DELETE FROM notetaker_words WHERE rowid = old.id;
    END`,
    // SQLite obeys foreign keys only if the user turns them on.
    `CREATE TRIGGER IF NOT EXISTS notetaker_meetings_deleted AFTER DELETE ON notetaker_meetings BEGIN
      DELETE FROM notetaker_passages WHERE account = old.account AND meeting_id = old.id;
    END`,
  ],
  postgres: [
    `CREATE TABLE IF NOT EXISTS notetaker_passages (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, ${COLUMNS},
      ${WORDS} tsvector NOT NULL,
      FOREIGN KEY (account, meeting_id) REFERENCES notetaker_meetings ON DELETE CASCADE)`,
    INDEX,
    `CREATE INDEX IF NOT EXISTS notetaker_passages_words ON notetaker_passages USING gin (${WORDS})`,
  ],
};

/** Makes the tables of the index, unless they exist. */
export async function prepareIndex(stored: StoredAccount): Promise<void> {
  const existing = await existingColumns(stored, ["notetaker_meetings", "notetaker_passages", "notetaker_words"]);
  if (!existing.has("notetaker_meetings.id")) {
    const message =
      "The database has no meetings yet. Run syncMeetings first, or npx notetaker-sdk sync --into <database>.";
    throw new ConfigurationError({ message });
  }
  if (existing.has(`notetaker_words.${WORDS}`) || existing.has(`notetaker_passages.${WORDS}`)) return;
  const isOther = existing.has("notetaker_passages.id");
  const removed = ["notetaker_words", "notetaker_passages"].map((table) => `DROP TABLE IF EXISTS ${table}`);
  await changeTables(stored, [...(isOther ? removed : []), ...TABLES[stored.syntax.dialect]]);
}
