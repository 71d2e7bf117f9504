/** SQLite for Node 20, which has no `node:sqlite`: the same library as WebAssembly, with the methods of `node:sqlite`. */
import sqlite from "node-sqlite3-wasm";
import type { SqliteDatabase } from "notetaker-sdk/sql";

export interface WasmDatabase extends SqliteDatabase {
  /** Runs one statement. */
  all(sql: string, params?: (string | null)[]): Record<string, unknown>[];
  /** Closes the file, also in the middle of a transaction, as the end of a process does. */
  close(): void;
}

export function wasmDatabase(path = ":memory:"): WasmDatabase {
  const db = new sqlite.Database(path);
  const all = (sql: string, params: (string | null)[] = []) => db.all(sql, params) as Record<string, unknown>[];
  return {
    exec: (sql) => db.exec(sql),
    prepare: (sql) => ({ all: (...params) => all(sql, params), run: (...params) => db.run(sql, params) }),
    all,
    close: () => db.close(),
  };
}
