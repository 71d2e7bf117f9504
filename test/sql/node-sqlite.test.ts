/** The SQLite of Node 22.16 and later; test/sql/sqlite-store.test.ts has that of WebAssembly, for every version. */
import { type SqliteDatabase, sqliteStore } from "notetaker-sdk/sql";
import { describe, expect, test } from "vitest";
import { storeContract } from "../sync/store-contract.js";
import { itemOf } from "../sync/store-items.js";
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

  test("a statement waits up to 5 seconds, and a transaction that SQLite has ended itself fails with its error", async () => {
    const { path, remove } = await databaseFile();
    const [db, other] = [await open(path), await open(path)];
    const store = sqliteStore(db);
    await store.write({ items: [itemOf("mtg_1")], removed: [] }, undefined);
    expect(Object.values(db.prepare("PRAGMA busy_timeout").all()[0] as object)).toEqual([5_000]);
    db.exec("CREATE TRIGGER full BEFORE INSERT ON notetaker_documents BEGIN SELECT RAISE(ROLLBACK, 'full'); END");
    const documents = [{ id: "doc_1", title: "", format: "html", content: "", created_at: "" } as const];
    await expect(store.write({ items: [itemOf("mtg_2", { documents })], removed: [] }, undefined)).rejects.toThrow(
      "full",
    );
    expect(await sqliteStore(other).ids(undefined, 5)).toEqual(["mtg_1"]);
    expect(await store.write({ items: [itemOf("mtg_2")], removed: [] }, undefined)).toEqual([]);
    db.close();
    other.close();
    remove();
  });
});
