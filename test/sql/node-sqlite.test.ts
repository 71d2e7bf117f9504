/** The SQLite of Node 22.16 and later; test/sql/sqlite-store.slow.test.ts has that of WebAssembly, for every version. */
import { type SqliteDatabase, sqliteStore } from "notetaker-sdk/sql";
import { describe } from "vitest";
import { storeContract } from "../sync/store/store-contract.js";
import { readMeeting } from "./visible.js";
import { databaseFile } from "./wasm-sqlite.js";

interface NodeDatabase extends SqliteDatabase {
  close(): void;
}

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

describe.runIf(major > 22 || (major === 22 && minor >= 16))("node:sqlite", () => {
  const open = async (path: string): Promise<NodeDatabase> => {
    const { DatabaseSync } = await import("node:sqlite" as string);
    return new DatabaseSync(path);
  };

  storeContract("sqliteStore over node:sqlite", async () => {
    const { path, remove } = await databaseFile();
    const [first, second] = [await open(path), await open(path)];
    const query = async (sql: string) =>
      first
        .prepare(sql)
        .all()
        .map((row) => ({ ...(row as object) }));
    return {
      store: sqliteStore(first),
      another: () => sqliteStore(second),
      read: (id) => readMeeting(query, id),
      async close() {
        first.close();
        second.close();
        remove();
      },
    };
  });
});
