/** The tables of the store, and how they are made and changed. Guide: docs/database.md, which promises them to users. */
import { ConfigurationError } from "../errors/argument-errors.js";
import type { SqlDriver } from "./driver.js";
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

/** The statements that change the tables; none if they are as they should be. */
async function changes(driver: SqlDriver, syntax: Syntax): Promise<string[]> {
  const tables = Object.entries(tablesOf(syntax));
  const views = Object.entries(VIEWS);
  const relations = [...tables, ...views].map(([name]) => name);
  const found = await read(driver, syntax, syntax.columns, syntax.schema, JSON.stringify(relations));
  const columns = new Set(found.map(({ relation, name }) => `${relation}.${name}`));
  const statements: string[] = [];
  for (const [table, { key, columns: wanted }] of tables) {
    const definitions = wanted.split(",").map((definition) => definition.trim());
    const missing = definitions.filter((definition) => !columns.has(`${table}.${definition.replace(/ .*/, "")}`));
    const isNew = missing.length === definitions.length;
    if (isNew) statements.push(`CREATE TABLE IF NOT EXISTS ${table} (${wanted}, PRIMARY KEY (${key}))`);
    else statements.push(...missing.map((definition) => `ALTER TABLE ${table} ADD COLUMN ${definition}`));
  }
  const isLower = columns.has("notetaker_accounts.schema") && (await hasLowerNumber(driver, syntax));
  if (statements.length === 0 && !isLower && views.every(([view]) => columns.has(`${view}.account`))) return [];
  for (const [name, on] of Object.entries(INDEXES)) statements.push(`CREATE INDEX IF NOT EXISTS ${name} ON ${on}`);
  const viewStatements = await viewStatementsOf(driver, syntax);
  return [
    ...statements,
    ...viewStatements,
    `UPDATE notetaker_accounts SET schema = ${SCHEMA} WHERE schema < ${SCHEMA}`,
  ];
}

async function hasLowerNumber(driver: SqlDriver, syntax: Syntax): Promise<boolean> {
  const [row] = await read(driver, syntax, "SELECT min(schema) AS low, max(schema) AS high FROM notetaker_accounts");
  if (Number(row?.high ?? SCHEMA) > SCHEMA) {
    const message = `The tables are of schema ${row?.high}, and this version of notetaker-sdk knows ${SCHEMA}: update it`;
    throw new ConfigurationError({ message });
  }
  return Number(row?.low ?? SCHEMA) < SCHEMA;
}

async function viewStatementsOf(driver: SqlDriver, syntax: Syntax): Promise<string[]> {
  const views = Object.entries(VIEWS);
  if (syntax.dialect === "sqlite") {
    return views.flatMap(([view, { sqlite }]) => [`DROP VIEW IF EXISTS ${view}`, `CREATE VIEW ${view} AS ${sqlite}`]);
  }
  const [server] = await read(driver, syntax, "SELECT current_setting('server_version_num') AS version");
  // Without it, a view reads the tables with the rights of its owner, whatever rows its user may see.
  const invoker = Number(server?.version) >= 150_000 ? "WITH (security_invoker = true)" : "";
  return views.map(([view, { postgres }]) => `CREATE OR REPLACE VIEW ${view} ${invoker} AS ${postgres}`);
}

async function read(driver: SqlDriver, { statement }: Syntax, sql: string, ...params: (string | null)[]) {
  return (await driver.all(statement(sql), params)) as readonly Record<string, unknown>[];
}

/** Makes what is missing. A user of the database who may not make tables can use those that exist. */
export async function prepareTables(driver: SqlDriver, syntax: Syntax): Promise<void> {
  const statements = await changes(driver, syntax);
  if (statements.length === 0) return;
  const all = [...syntax.lockForTables, ...statements].map((sql) => ({ sql: syntax.statement(sql), params: [] }));
  try {
    await driver.transaction(all);
  } catch (error) {
    // Another process may have made the same changes meanwhile.
    if ((await changes(driver, syntax)).length > 0) throw error;
  }
}
