/**
 * The tables of the index. `notetaker_passages` has a row for each text that has passages: the transcript of a meeting
 * (`document_id` is `""`), and each of its documents. `notetaker_words` has the words of each passage, in SQLite as an
 * FTS5 table, whose rowid is `id * 1048576 + position`. Whoever deletes rows of passages deletes their words.
 */
import { ConfigurationError } from "../../errors/argument-errors.js";
import type { SqlDriver } from "../driver.js";
import type { Dialect, Syntax } from "../syntax.js";
import { MAX_PASSAGES } from "./passages.js";

const COLUMNS = `account text NOT NULL, meeting_id text NOT NULL, document_id text NOT NULL, format text NOT NULL,
  length integer NOT NULL, version bigint NOT NULL, UNIQUE (account, meeting_id, document_id)`;

const INDEX = "CREATE INDEX IF NOT EXISTS notetaker_passages_version ON notetaker_passages (account, version)";

const TABLES: Readonly<Record<Dialect, readonly string[]>> = {
  sqlite: [
    // No id is used again: a search may still have the id of a row that was deleted.
    `CREATE TABLE IF NOT EXISTS notetaker_passages (id integer PRIMARY KEY AUTOINCREMENT, ${COLUMNS})`,
    INDEX,
    `CREATE VIRTUAL TABLE IF NOT EXISTS notetaker_words USING fts5(title, speaker, words, content='',
      contentless_delete=1, tokenize="unicode61 remove_diacritics 0 categories 'L* M* N* Co'")`,
    `CREATE TRIGGER IF NOT EXISTS notetaker_passages_deleted AFTER DELETE ON notetaker_passages BEGIN
      DELETE FROM notetaker_words
      WHERE rowid BETWEEN old.id * ${MAX_PASSAGES} AND old.id * ${MAX_PASSAGES} + old.length - 1;
    END`,
  ],
  postgres: [
    `CREATE TABLE IF NOT EXISTS notetaker_passages (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, ${COLUMNS})`,
    INDEX,
    `CREATE TABLE IF NOT EXISTS notetaker_words (text bigint NOT NULL REFERENCES notetaker_passages ON DELETE CASCADE,
      position integer NOT NULL, words tsvector NOT NULL, PRIMARY KEY (text, position))`,
    "CREATE INDEX IF NOT EXISTS notetaker_words_words ON notetaker_words USING gin (words)",
  ],
};

/** Makes the tables of the index, unless they exist. */
export async function prepareIndex(driver: SqlDriver, syntax: Syntax): Promise<void> {
  const names = ["notetaker_meetings", "notetaker_passages", "notetaker_words"];
  const found = await driver.all(syntax.statement(syntax.columns), [syntax.schema, JSON.stringify(names)]);
  const existing = new Set((found as readonly { relation: string }[]).map(({ relation }) => relation));
  if (!existing.has("notetaker_meetings")) {
    const message =
      "The database has no meetings yet. Run syncMeetings first, or npx notetaker-sdk sync --into <database>.";
    throw new ConfigurationError({ message });
  }
  if (names.every((name) => existing.has(name))) return;
  const statements = [...syntax.lockForTables, ...TABLES[syntax.dialect]];
  await driver.transaction(statements.map((sql) => ({ sql: syntax.statement(sql), params: [] })));
}
