import * as z from "zod/mini";
import { hasMethod } from "../async/byte-reader.js";
import { checkArgument } from "../errors/check-arguments.js";
import { custom } from "../schemas/primitives.js";
import type { MeetingStore } from "../sync/store.js";
import type { SqlDriver, SqlRows, SqlStatement } from "./driver.js";
import { storeOver } from "./sql-store.js";
import type { SqlStoreOptions } from "./stored-account.js";

/** The used part of a database of SQLite: `DatabaseSync` of `node:sqlite`, `Database` of better-sqlite3 or bun:sqlite. */
export interface SqliteDatabase {
  /** Runs a statement without a result. */
  exec(sql: string): unknown;
  /** Prepares a statement. The packages differ in the types of its parameters. */
  prepare(sql: string): {
    /** In better-sqlite3: whether the statement returns rows. If it is `false`, `all` throws. */
    readonly reader?: boolean;
    /** Runs the statement, and returns its rows. */
    all(...params: never[]): unknown[];
    /** Runs the statement without returning rows. */
    run(...params: never[]): unknown;
  };
}

/** How long a statement waits for another process that writes. */
const BUSY_MS = 5_000;

/** `batch` is a method of D1 and libSQL, which are asynchronous. */
const isSqlite = (value: unknown) =>
  hasMethod(value, "exec") && hasMethod(value, "prepare") && !hasMethod(value, "batch");

const SQLITE = "a DatabaseSync of node:sqlite, or a Database of better-sqlite3 or bun:sqlite";

/** Refuses a value that is no database. `name` is that of the parameter. */
function check(operation: string, name: string, value: unknown, accepts: (value: unknown) => boolean, what: string) {
  checkArgument(operation, z.looseObject({ [name]: custom(accepts, what) }), { [name]: value });
}

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
  check("sqliteStore", "db", db, isSqlite, SQLITE);
  return storeOver("sqliteStore", sqliteDriver(db), options);
}

/** Sets the time that a statement waits, unless it waits longer already. */
function waitForOthers(db: SqliteDatabase): void {
  const [row] = db.prepare("PRAGMA busy_timeout").all();
  const [waitMs] = Object.values(row ?? {});
  if (!(Number(waitMs) >= BUSY_MS)) db.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
}

/** A handle may be set to return whole numbers as BigInt: those that a number can hold become numbers. */
function withNumbers(rows: Record<string, unknown>[]): SqlRows {
  for (const row of rows) {
    for (const [name, value] of Object.entries(row)) {
      if (typeof value === "bigint" && Number.isSafeInteger(Number(value))) row[name] = Number(value);
    }
  }
  return rows;
}

function sqliteDriver(db: SqliteDatabase): SqlDriver {
  let isPatient = false;
  const all = (sql: string, values: (string | null)[]): SqlRows => {
    const params = values as never[];
    if (!isPatient) waitForOthers(db);
    isPatient = true;
    const statement = db.prepare(sql);
    if (statement.reader !== false) return withNumbers(statement.all(...params) as Record<string, unknown>[]);
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

/** The used part of what runs a statement. */
export interface PostgresClient {
  /** Runs a statement. Resolves to an object for each row. */
  query(
    sql: string,
    params?: (string | null)[],
  ): Promise<{
    /** An object for each row, with the columns' names as its members. Empty for a statement that returns none. */
    rows: unknown[];
  }>;
  /** Adds a listener to what reports that a connection was lost. */
  on?(event: "error", listener: () => void): unknown;
}

/** The used part of a client that a {@link PostgresPool} lends. */
export interface PostgresPoolClient extends PostgresClient {
  /** Returns the client to its pool, or with `true` closes it. */
  release(destroy?: boolean): void;
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

const isDatabase = (value: unknown) => isPGlite(value) || isPool(value);

/** Whose errors are listened to: several stores share a pool, which warns of more than ten listeners. */
const listenedTo = new WeakSet<PostgresClient>();

/** Without a listener, a lost connection would end the process. Whoever uses it gets the error as well. */
function listenToErrors(client: PostgresClient): void {
  if (!listenedTo.has(client)) client.on?.("error", () => {});
  listenedTo.add(client);
}

/**
 * A store in a Postgres database (12 or later), with the meetings of one account or of several. It makes its tables when
 * it is first used. Errors of the pool's idle connections are listened to: a database that restarts does not end the
 * process.
 *
 * @throws {InvalidArgumentError} {@link InvalidArgumentError} if `pool` is no such pool, or an option is invalid
 *
 * @example
 * await syncMeetings(notetaker, { into: postgresStore(new pg.Pool()) });
 */
export function postgresStore(pool: PostgresPool | PGliteDatabase, options: SqlStoreOptions = {}): MeetingStore {
  check("postgresStore", "pool", pool, isDatabase, "a Pool of pg (not a Client) or a PGlite");
  return storeOver("postgresStore", postgresDriver(pool), options);
}

function postgresDriver(pool: PostgresPool | PGliteDatabase): SqlDriver {
  listenToErrors(pool);
  return {
    dialect: "postgres",
    all: async (sql, params) => (await pool.query(sql, params)).rows,
    transaction: (statements) =>
      isPGlite(pool) ? pool.transaction((client) => runAll(client, statements)) : inTransaction(pool, statements),
  };
}

const isDriver = (value: unknown): value is SqlDriver => hasMethod(value, "all") && "dialect" in (value as object);

/** The driver for any database that a store takes. */
export function driverOf(operation: string, database: SqliteDatabase | PostgresPool | PGliteDatabase | SqlDriver) {
  const accepts = (value: unknown) => isDriver(value) || isSqlite(value) || isDatabase(value);
  check(operation, "database", database, accepts, `a SqlDriver, ${SQLITE}, a Pool of pg or a PGlite`);
  if (isDriver(database)) return database;
  return isSqlite(database) ? sqliteDriver(database as SqliteDatabase) : postgresDriver(database as PostgresPool);
}

async function runAll(client: PostgresClient, statements: readonly SqlStatement[]): Promise<SqlRows[]> {
  const results: SqlRows[] = [];
  for (const { sql, params } of statements) results.push((await client.query(sql, params)).rows);
  return results;
}

async function inTransaction(pool: PostgresPool, statements: readonly SqlStatement[]): Promise<SqlRows[]> {
  const client = await pool.connect();
  listenToErrors(client);
  try {
    await client.query("BEGIN ISOLATION LEVEL READ COMMITTED");
    const results = await runAll(client, statements);
    await client.query("COMMIT");
    client.release();
    return results;
  } catch (error) {
    await client.query("ROLLBACK").then(
      () => client.release(),
      () => client.release(true),
    );
    throw error;
  }
}
