import * as z from "zod/mini";
import { hasMethod } from "../async/byte-reader.js";
import { checkArgument } from "../errors/check-arguments.js";
import { custom } from "../schemas/primitives.js";
import type { MeetingStore } from "../sync/store/store.js";
import type { SqlDriver, SqlRows, SqlStatement } from "./driver.js";
import { checkStoreOptions, type SqlStoreOptions, sqlStore } from "./sql-store.js";

/** The used part of a database of SQLite: `DatabaseSync` of `node:sqlite`, `Database` of better-sqlite3 or bun:sqlite. */
export interface SqliteDatabase {
  /** Runs a statement without a result. */
  exec(sql: string): unknown;
  /** Prepares a statement. */
  prepare(sql: string): SqlitePreparedStatement;
}

/** The used part of a prepared statement. The packages differ in the types of its parameters. */
export interface SqlitePreparedStatement {
  /** Whether the statement has rows. better-sqlite3 refuses `all` without them. */
  readonly reader?: boolean;
  /** Runs the statement. Returns its rows. */
  all(...params: never[]): unknown[];
  /** Runs a statement without rows. */
  run(...params: never[]): unknown;
}

/** How long a statement waits for another process that writes. */
const BUSY_MS = 5_000;

/** `batch` is a method of D1 and libSQL, which are asynchronous. */
const isSqlite = (value: unknown) =>
  hasMethod(value, "exec") && hasMethod(value, "prepare") && !hasMethod(value, "batch");

const sqliteSchema = z.looseObject({
  db: custom(isSqlite, "a DatabaseSync of node:sqlite, or a Database of better-sqlite3 or bun:sqlite"),
});

/**
 * A store in a SQLite database, with the meetings of one account or of several. It makes its tables when it is first
 * used, and waits up to 5 seconds for another process that writes.
 *
 * @throws {InvalidArgumentError} {@link InvalidArgumentError} if `db` is no such database, or an option is invalid
 *
 * @example
 * await syncMeetings(notetaker, { into: sqliteStore(new DatabaseSync("meetings.sqlite")) });
 */
export function sqliteStore(db: SqliteDatabase, options: SqlStoreOptions = {}): MeetingStore {
  checkArgument("sqliteStore", sqliteSchema, { db });
  checkStoreOptions("sqliteStore", options);
  return sqlStore(sqliteDriver(db), options);
}

/** Sets the time that a statement waits, unless it waits longer already. */
function waitForOthers(db: SqliteDatabase): void {
  const [row] = db.prepare("PRAGMA busy_timeout").all();
  const [waitMs] = Object.values(row ?? {});
  if (!(Number(waitMs) >= BUSY_MS)) db.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
}

function sqliteDriver(db: SqliteDatabase): SqlDriver {
  let isPatient = false;
  const all = (sql: string, values: (string | null)[]): SqlRows => {
    const params = values as never[];
    if (!isPatient) waitForOthers(db);
    isPatient = true;
    const statement = db.prepare(sql);
    if (statement.reader !== false) return statement.all(...params);
    statement.run(...params);
    return [];
  };
  return {
    dialect: "sqlite",
    all,
    transaction(statements) {
      db.exec("BEGIN IMMEDIATE");
      try {
        const rows = statements.map(({ sql, params }) => all(sql, params));
        db.exec("COMMIT");
        return rows;
      } catch (error) {
        try {
          db.exec("ROLLBACK");
        } catch {
          // SQLite has ended the transaction itself, for example because the disk is full.
        }
        throw error;
      }
    },
  };
}

/** The used part of the result of a statement. */
export interface PostgresResult {
  /** An object for each row. */
  rows: unknown[];
}

/** The used part of what runs a statement. */
export interface PostgresClient {
  /** Runs a statement. */
  query(sql: string, params?: (string | null)[]): Promise<PostgresResult>;
}

/** The used part of a client that a {@link PostgresPool} lends. */
export interface PostgresPoolClient extends PostgresClient {
  /** Returns the client to its pool, or with `true` closes it. */
  release(destroy?: boolean): void;
  /** Listens to errors of the connection. */
  on(event: "error", listener: () => void): unknown;
  /** Stops listening. */
  removeListener(event: "error", listener: () => void): unknown;
}

/** The used part of a `Pool` of the package pg. */
export interface PostgresPool extends PostgresClient {
  /** The number of clients. A `Client` has no such field: it cannot keep two transactions apart. */
  readonly totalCount: number;
  /** Lends a client. */
  connect(): Promise<PostgresPoolClient>;
}

/** The used part of a `PGlite` of the package `@electric-sql/pglite`. */
export interface PGliteDatabase extends PostgresClient {
  /** Runs a transaction. */
  transaction<T>(run: (transaction: PostgresClient) => Promise<T>): Promise<T>;
}

const isPGlite = (value: unknown): value is PGliteDatabase =>
  hasMethod(value, "query") && hasMethod(value, "transaction");

const isPool = (value: unknown): value is PostgresPool =>
  hasMethod(value, "query") && hasMethod(value, "connect") && "totalCount" in (value as object);

const poolSchema = z.looseObject({
  pool: custom((value) => isPool(value) || isPGlite(value), "a Pool of pg (not a Client) or a PGlite"),
});

/**
 * A store in a Postgres database (12 or later), with the meetings of one account or of several. It makes its tables when
 * it is first used, in the first schema of the `search_path`.
 *
 * @throws {InvalidArgumentError} {@link InvalidArgumentError} if `pool` is no such pool, or an option is invalid
 *
 * @example
 * await syncMeetings(notetaker, { into: postgresStore(new pg.Pool()) });
 */
export function postgresStore(pool: PostgresPool | PGliteDatabase, options: SqlStoreOptions = {}): MeetingStore {
  checkArgument("postgresStore", poolSchema, { pool });
  checkStoreOptions("postgresStore", options);
  return sqlStore(
    {
      dialect: "postgres",
      all: async (sql, params) => (await pool.query(sql, params)).rows,
      transaction: (statements) =>
        isPGlite(pool) ? pool.transaction((client) => runAll(client, statements)) : inTransaction(pool, statements),
    },
    options,
  );
}

async function runAll(client: PostgresClient, statements: readonly SqlStatement[]): Promise<SqlRows[]> {
  const results: SqlRows[] = [];
  for (const { sql, params } of statements) results.push((await client.query(sql, params)).rows);
  return results;
}

async function inTransaction(pool: PostgresPool, statements: readonly SqlStatement[]): Promise<SqlRows[]> {
  const client = await pool.connect();
  // The query rejects as well. Without a listener, a lost connection would end the process.
  const ignore = () => {};
  client.on("error", ignore);
  const giveBack = () => {
    client.removeListener("error", ignore);
    client.release();
  };
  try {
    await client.query("BEGIN ISOLATION LEVEL READ COMMITTED");
    const results = await runAll(client, statements);
    await client.query("COMMIT");
    giveBack();
    return results;
  } catch (error) {
    await client.query("ROLLBACK").then(giveBack, () => client.release(true));
    throw error;
  }
}
