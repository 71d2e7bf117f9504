/** A SQLite database in a folder of its own, for the benches: of `node:sqlite`, or as WebAssembly in Node 20, which is slower. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SqliteDatabase } from "../src/sql/index.js";

export interface OpenedSqlite {
  readonly database: SqliteDatabase;
  readonly folder: string;
  close(): void;
}

export async function openSqlite(): Promise<OpenedSqlite> {
  const folder = mkdtempSync(join(tmpdir(), "notetaker-bench-"));
  const path = join(folder, "meetings.sqlite");
  const { DatabaseSync } = await import("node:sqlite" as string).catch(() => ({ DatabaseSync: undefined }));
  const { wasmDatabase } = await import("../test/sql/wasm-sqlite.js");
  const database: SqliteDatabase & { close(): void } = DatabaseSync ? new DatabaseSync(path) : wasmDatabase(path);
  database.exec("PRAGMA journal_mode = WAL");
  return {
    database,
    folder,
    close() {
      database.close();
      rmSync(folder, { recursive: true });
    },
  };
}
