/** Opens what `--into`, `--in` or `--archive` names: a SQLite file, a Postgres database or a folder. */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { orUndefined } from "../json/or-undefined.js";
import { folderStore } from "../node/folder-store/folder-store.js";
import { type PostgresPool, postgresStore, type SqliteDatabase, sqliteStore } from "../sql/drivers.js";
import type { MeetingStore } from "../sync/store.js";
import { type CommandContext, UsageError } from "./command.js";

export interface OpenStore {
  readonly store: MeetingStore;
  close(): unknown;
}

export interface OpenDatabase {
  readonly database: SqliteDatabase | PostgresPool;
  close(): unknown;
}

/** A user's database packages. Their names are variables, so that bundling leaves them alone. */
const [NODE_SQLITE, BETTER_SQLITE, PG] = ["node:sqlite", "better-sqlite3", "pg"];

/** Resolves when the store is open. Nothing is written before the store is first used. */
export async function openStore(where: string, env: CommandContext["env"]): Promise<OpenStore> {
  const into = withHome(where, env);
  if (/^(sqlite:)?:memory:$/i.test(into)) {
    throw new UsageError("--into: a database in memory would be lost at the end; write meetings.sqlite");
  }
  const open = openerOf("into", into);
  if (open !== undefined) {
    const { database, close } = await open();
    return { store: "query" in database ? postgresStore(database) : sqliteStore(database), close };
  }
  if (into === "" || /^[a-z][a-z\d+.-]+:\/\//i.test(into)) {
    throw new UsageError("--into: expected meetings.sqlite, ./folder/ or postgres://…");
  }
  return { store: folderStore(into), close() {} };
}

export async function openDatabase(flag: string, where: string, env: CommandContext["env"]): Promise<OpenDatabase> {
  const name = withHome(where, env);
  const open = openerOf(flag, name);
  if (open === undefined) throw new UsageError(`--${flag}: expected meetings.sqlite or postgres://…`);
  const path = /^postgres(ql)?:/i.test(name) ? undefined : name.replace(/^sqlite:/i, "");
  // SQLite would make a new file.
  if (path !== undefined && !existsSync(path)) {
    throw new UsageError(`--${flag}: there is no such file; npx notetaker-sdk sync --into ${path} makes it`);
  }
  return open();
}

/** A shell does not replace the ~ of --into=~/meetings. */
const withHome = (name: string, env: CommandContext["env"]) =>
  name.replace(/^(sqlite:)?~(?=\/|$)/i, (_, scheme = "") => scheme + (env.HOME ?? homedir()));

function openerOf(flag: string, name: string): (() => Promise<OpenDatabase>) | undefined {
  if (/^postgres(ql)?:/i.test(name)) return () => openPostgres(flag, name);
  if (/^sqlite:/i.test(name)) return () => openSqlite(flag, name.slice("sqlite:".length));
  return /\.(sqlite3?|db)$/i.test(name) ? () => openSqlite(flag, name) : undefined;
}

async function openSqlite(flag: string, path: string): Promise<OpenDatabase> {
  if (path === "") throw new UsageError(`--${flag}: expected the path of a file after sqlite:`);
  const Database = (await nodeSqlite()) ?? (await installed<SqliteModule>(BETTER_SQLITE))?.default;
  if (Database === undefined) {
    throw new UsageError(
      "SQLite needs Node 22.16 or later, or the package better-sqlite3: npx -p notetaker-sdk -p better-sqlite3 notetaker-sdk …",
    );
  }
  const database = new Database(path);
  return { database, close: () => database.close() };
}

type SqliteClass = new (path: string) => SqliteDatabase & { close(): void };
interface SqliteModule {
  readonly default: SqliteClass;
}

async function nodeSqlite(): Promise<SqliteClass | undefined> {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major < 22 || (major === 22 && minor < 16)) return undefined;
  const { emitWarning } = process;
  // Node 22 warns that it is experimental. What the command uses of it is tested with each version.
  process.emitWarning = () => {};
  try {
    return (await installed<{ DatabaseSync: SqliteClass }>(NODE_SQLITE))?.DatabaseSync;
  } finally {
    process.emitWarning = emitWarning;
  }
}

interface PgModule {
  readonly default: { readonly Pool: new (options: { connectionString: string; max: number }) => PgPool };
}
type PgPool = PostgresPool & { end(): Promise<void> };

async function openPostgres(flag: string, url: string): Promise<OpenDatabase> {
  const parsed = orUndefined(() => new URL(url));
  // With a password that has such a character, the parts of the URL are not what they seem, and might be printed.
  if (parsed === undefined || /@/.test(parsed.pathname + parsed.search + parsed.hash)) {
    throw new UsageError(
      `--${flag}: expected postgres://user:password@host/database; encode @, /, ?, # and : as %40 …`,
    );
  }
  const pg = await installed<PgModule>(PG);
  if (pg === undefined) {
    throw new UsageError("Postgres needs the package pg: npx -p notetaker-sdk -p pg notetaker-sdk …");
  }
  const pool = new pg.default.Pool({ connectionString: url, max: 2 });
  return { database: pool, close: () => pool.end() };
}

/** Errors of the network, and classes of Postgres: 08 a connection failed, 53 too many, 57 the server stops or starts. */
const AWAY_CODE = /^(E(CONN|PIPE|NOTFOUND|AI_AGAIN|TIMEDOUT|HOSTUNREACH|NETUNREACH)|08|53|57P)/;
/** What pg says without a code. */
const AWAY_MESSAGE = /^(Connection terminated|timeout exceeded when trying to connect)/;

/** Whether a store has failed because its database cannot be reached now. */
export function isStoreAway(error: unknown): boolean {
  const { code = "", message = "" } = (error ?? {}) as { code?: unknown; message?: unknown };
  return AWAY_CODE.test(String(code)) || AWAY_MESSAGE.test(String(message)) || message === "database is locked";
}

async function installed<T>(name = ""): Promise<T | undefined> {
  try {
    return (await import(name)) as T;
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === "ERR_MODULE_NOT_FOUND" || code === "ERR_UNKNOWN_BUILTIN_MODULE") return undefined;
    throw error;
  }
}
