/** The databases that killed programs fill. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "../../test/postgres/support/postgres-server.js";

export type Rows = readonly Record<string, unknown>[];

/** A server or a folder with any number of databases. */
export interface Databases extends AsyncDisposable {
  /** Makes an empty database. Resolves to its address for the program. */
  make(number: number): Promise<string>;
  query(number: number, sql: string): Promise<Rows>;
}

export async function sqliteDatabases(): Promise<Databases> {
  const { DatabaseSync } = await import("node:sqlite" as string);
  const folder = await mkdtemp(join(tmpdir(), "kill-sqlite-"));
  const pathOf = (number: number) => join(folder, `${number}.sqlite`);
  return {
    make: async (number) => pathOf(number),
    async query(number, sql) {
      const db = new DatabaseSync(pathOf(number));
      try {
        return db.prepare(sql).all();
      } finally {
        db.close();
      }
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

export async function postgresDatabases(): Promise<Databases> {
  const server = await startPostgres();
  const pool = server.pool();
  const { host, port, user, database } = pool.options;
  const address = `postgres://${user}@${host}:${port}/${database}`;
  const schemaOf = (number: number) => `killed_${number}`;
  return {
    async make(number) {
      await pool.query(`CREATE SCHEMA ${schemaOf(number)}`);
      return `${address}?options=${encodeURIComponent(`-c search_path=${schemaOf(number)}`)}`;
    },
    async query(number, sql) {
      const client = await pool.connect();
      try {
        await client.query(`SET search_path = ${schemaOf(number)}`);
        return (await client.query(sql)).rows;
      } finally {
        client.release();
      }
    },
    async [Symbol.asyncDispose]() {
      await pool.end();
      await server.close();
    },
  };
}
