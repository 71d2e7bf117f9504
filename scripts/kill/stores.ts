/** The stores that killed programs fill: folders, SQLite, and Postgres. */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import pg from "pg";
import { startPostgres } from "../../test/postgres/support/postgres-server.js";

/** By its path or its key, each thing that must be as after an uninterrupted run, also after a kill. */
export type Contents = ReadonlyMap<string, string>;

export interface Stores extends AsyncDisposable {
  /** An address of an empty store, for `programs/fill.ts`. */
  make(name: string): Promise<string>;
  contents(address: string): Promise<Contents>;
  /** What a kill may leave, and a completed run may not. */
  unfinished(address: string): Promise<readonly string[]>;
  /** Lets the next run begin at once. */
  unlock(address: string): Promise<unknown>;
}

const filesIn = async (folder: string) => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
};

export async function folders(): Promise<Stores> {
  const around = await mkdtemp(join(tmpdir(), "kill-folder-"));
  return {
    make: async (name) => join(around, name),
    async contents(folder) {
      const paths = (await filesIn(folder))
        .map((path) => relative(folder, path))
        .filter((path) => !/(^|\/)\./.test(path));
      const read = paths.map(async (path) => [path, await readFile(join(folder, path), "base64")] as const);
      const { "index.json": index, ...files } = Object.fromEntries(await Promise.all(read));
      // The index grows; it never lists a file that is not there.
      const listed: { file: string }[] = JSON.parse(Buffer.from(index ?? "W10=", "base64").toString());
      const entries = listed.map(
        (entry) => [`index of ${entry.file}`, JSON.stringify([entry, entry.file in files])] as const,
      );
      return new Map([...Object.entries(files), ...entries]);
    },
    unfinished: async (folder) => (await filesIn(folder)).filter((path) => path.endsWith(".part")),
    // The lock names a process that has ended.
    unlock: async () => {},
    [Symbol.asyncDispose]: () => rm(around, { recursive: true, force: true }),
  };
}

type Query = (address: string, sql: string) => Promise<readonly Record<string, unknown>[]>;

const OF_COMPLETE = "meeting_id IN (SELECT id FROM notetaker_meetings WHERE complete)";
const ROWS = {
  "SELECT * FROM notetaker_meetings WHERE complete": ["id"],
  [`SELECT * FROM notetaker_documents WHERE ${OF_COMPLETE}`]: ["meeting_id", "id", "format"],
  [`SELECT * FROM notetaker_segments WHERE ${OF_COMPLETE}`]: ["meeting_id", "position"],
};
/** They depend on the number of runs, and on the clock. */
const OF_THE_RUN = ["version", "changed_at"];

/** Before the first statement of a program, the tables are missing. */
const tablesOf = (query: Query): Omit<Stores, "make" | typeof Symbol.asyncDispose> => ({
  async contents(address) {
    const found = new Map<string, string>();
    for (const [sql, keys] of Object.entries(ROWS)) {
      for (const row of await query(address, sql).catch(() => [])) {
        const columns = Object.entries(row).filter(([name]) => !OF_THE_RUN.includes(name));
        found.set(keys.map((key) => row[key]).join(" "), JSON.stringify(columns));
      }
    }
    return found;
  },
  unfinished: async (address) => {
    const rows = await query(address, "SELECT id FROM notetaker_meetings WHERE NOT complete").catch(() => []);
    return rows.map(({ id }) => String(id));
  },
  // As three minutes later.
  unlock: (address) =>
    query(address, "UPDATE notetaker_accounts SET holder = NULL, held_until = NULL RETURNING 1").catch(() => []),
});

export async function sqliteFiles(): Promise<Stores> {
  const { DatabaseSync } = await import("node:sqlite" as string);
  const folder = await mkdtemp(join(tmpdir(), "kill-sqlite-"));
  return {
    make: async (name) => join(folder, `${name}.sqlite`),
    ...tablesOf(async (path, sql) => {
      const db = new DatabaseSync(path);
      try {
        return db.prepare(sql).all();
      } finally {
        db.close();
      }
    }),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

export async function postgresSchemas(): Promise<Stores> {
  const server = await startPostgres();
  const pool = server.pool();
  const { host, port, user, database } = pool.options;
  return {
    async make(name) {
      await pool.query(`CREATE SCHEMA ${name}`);
      return `postgres://${user}@${host}:${port}/${database}?options=${encodeURIComponent(`-c search_path=${name}`)}`;
    },
    ...tablesOf(async (address, sql) => {
      const client = new pg.Client({ connectionString: address });
      await client.connect();
      try {
        return (await client.query(sql)).rows;
      } finally {
        await client.end();
      }
    }),
    async [Symbol.asyncDispose]() {
      await pool.end();
      await server.close();
    },
  };
}
