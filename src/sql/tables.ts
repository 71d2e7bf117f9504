/** The tables of the store, and how they are made and changed. Guide: docs/database.md, which promises them to users. */
import { ConfigurationError } from "../errors/argument-errors.js";
import type { StoredAccount } from "./stored-account.js";
import type { Syntax } from "./syntax.js";
import { VIEWS } from "./views.js";

/**
 * The number of these tables. Whoever adds a column, an index or a view, or changes a view, adds one: the tables of a
 * user with a lower number are changed when they are next used. A column that is added may be NULL.
 */
export const SCHEMA = 1;

// Long columns come last: SQLite has to read all that is before a column.
const tablesOf = ({ types: { json, time, flag, number, count } }: Syntax) => ({
  notetaker_accounts: {
    key: "account",
    columns: `account text NOT NULL, version ${count} NOT NULL, schema integer NOT NULL, next_at ${time},
      polled_at ${time}, failing_since ${time}, error text, holder text, held_until ${time}, state text`,
  },
  notetaker_meetings: {
    key: "account, id",
    columns: `account text NOT NULL, id text NOT NULL, title text, status text, source text, start_time text,
      started_at ${time}, duration ${number}, has_recording ${flag}, complete ${flag} NOT NULL, gone ${flag} NOT NULL,
      version ${count} NOT NULL, changed_at ${time} NOT NULL, missing ${json} NOT NULL, meeting ${json} NOT NULL,
      transcript ${json}`,
  },
  notetaker_documents: {
    key: "account, meeting_id, id, format",
    columns: `account text NOT NULL, meeting_id text NOT NULL, id text NOT NULL, format text NOT NULL, title text,
      kind text, created_at text, version ${count} NOT NULL, content text NOT NULL`,
  },
  notetaker_memory: {
    key: "account, id",
    columns: `account text NOT NULL, id text NOT NULL, due_at ${time}, memory text NOT NULL`,
  },
});

const INDEXES = {
  notetaker_meetings_version: "notetaker_meetings (account, version)",
  notetaker_documents_version: "notetaker_documents (account, version)",
  notetaker_memory_due: "notetaker_memory (account, due_at, id)",
};

/** The columns of those relations that exist: `notetaker_meetings.title`. */
export async function existingColumns(stored: StoredAccount, relations: readonly string[]) {
  const { columns, schema } = stored.syntax;
  const found = await read(stored, columns, schema, JSON.stringify(relations));
  return new Set(found.map(({ relation, name }) => `${relation}.${name}`));
}

/** The statements that change the tables; none if they are as they should be. */
async function changes(stored: StoredAccount): Promise<string[]> {
  const tables = Object.entries(tablesOf(stored.syntax));
  const views = Object.entries(VIEWS);
  const existing = await existingColumns(
    stored,
    [...tables, ...views].map(([name]) => name),
  );
  const statements = tables.flatMap(([table, { key, columns }]) => {
    const definitions = columns.split(",").map((definition) => definition.trim());
    const missing = definitions.filter((definition) => !existing.has(`${table}.${definition.replace(/ .*/, "")}`));
    if (missing.length < definitions.length) return missing.map((one) => `ALTER TABLE ${table} ADD COLUMN ${one}`);
    return `CREATE TABLE IF NOT EXISTS ${table} (${columns}, PRIMARY KEY (${key}))`;
  });
  const isLower = existing.has("notetaker_accounts.schema") && (await hasLowerNumber(stored));
  if (statements.length === 0 && !isLower && views.every(([view]) => existing.has(`${view}.account`))) return [];
  return [
    ...statements,
    ...Object.entries(INDEXES).map(([name, on]) => `CREATE INDEX IF NOT EXISTS ${name} ON ${on}`),
    ...(await viewStatementsOf(stored)),
    `UPDATE notetaker_accounts SET schema = ${SCHEMA} WHERE schema < ${SCHEMA}`,
  ];
}

async function hasLowerNumber(stored: StoredAccount): Promise<boolean> {
  const [row] = await read(stored, "SELECT min(schema) AS low, max(schema) AS high FROM notetaker_accounts");
  if (Number(row?.high ?? SCHEMA) > SCHEMA) {
    const message = `The tables are of schema ${row?.high}, and this version of notetaker-sdk knows ${SCHEMA}: update it`;
    throw new ConfigurationError({ message });
  }
  return Number(row?.low ?? SCHEMA) < SCHEMA;
}

async function viewStatementsOf(stored: StoredAccount): Promise<string[]> {
  const views = Object.entries(VIEWS);
  if (stored.syntax.dialect === "sqlite") {
    return views.flatMap(([view, { sqlite }]) => [`DROP VIEW IF EXISTS ${view}`, `CREATE VIEW ${view} AS ${sqlite}`]);
  }
  const [server] = await read(stored, "SELECT current_setting('server_version_num') AS version");
  // Without it, a view reads the tables with the rights of its owner, whatever rows its user may see.
  const invoker = Number(server?.version) >= 150_000 ? "WITH (security_invoker = true)" : "";
  return views.map(([view, { postgres }]) => `CREATE OR REPLACE VIEW ${view} ${invoker} AS ${postgres}`);
}

async function read({ driver, syntax }: StoredAccount, sql: string, ...params: (string | null)[]) {
  return (await driver.all(syntax.statement(sql), params)) as readonly Record<string, unknown>[];
}

/** Makes the tables, or what they lack. A user of the database who may not make tables can use those that exist. */
export async function prepareTables(stored: StoredAccount): Promise<void> {
  const statements = await changes(stored);
  if (statements.length === 0) return;
  try {
    await changeTables(stored, statements);
  } catch (error) {
    // Another process may have made the same changes meanwhile.
    if ((await changes(stored)).length > 0) throw error;
  }
}

/** Runs statements that change the tables, in one transaction, of which only one at a time is under way. */
export const changeTables = ({ driver, syntax }: StoredAccount, statements: readonly string[]) =>
  driver.transaction(
    [...syntax.lockForTables, ...statements].map((sql) => ({ sql: syntax.statement(sql), params: [] })),
  );
