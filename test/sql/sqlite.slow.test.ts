import { openArchive, type SqliteDatabase, sqliteStore } from "notetaker-sdk/sql";
import { expect, test } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.js";
import { documentOf, itemOf, locked, transcriptOf } from "../sync/store/store-items.js";
import { databaseContract, openedSqlite } from "./databases.js";
import { Killed, killsContract } from "./kills-contract.js";
import { searchContract } from "./search/search-contract.js";
import { wasmDatabase } from "./wasm-sqlite.js";

databaseContract("SQLite", async () => openedSqlite(wasmDatabase()));

/** Out of a subquery, its JSON is text. */
searchContract("an archive in SQLite 3.54", async () => {
  const { default: load } = await import("@sqlite.org/sqlite-wasm" as string);
  const db = new (await load()).oo1.DB();
  const all = (sql: string, ...bind: string[]) => db.exec({ sql, bind, rowMode: "object", returnValue: "resultRows" });
  const database: SqliteDatabase = { exec: all, prepare: (sql) => ({ all: all.bind(0, sql), run: all.bind(0, sql) }) };
  return openedSqlite({ ...database, close: () => db.close() });
});

let path = "";
killsContract("SQLite", {
  async begin() {
    path = `${temporaryFolder()}/meetings.sqlite`;
  },
  open: async () => openedSqlite(wasmDatabase(path)),
  /** A database that ends like its process. */
  async mortal(last, isAfter) {
    const db = wasmDatabase(path);
    let count = 0;
    const orDie = <T>(work: () => T): T => {
      count += 1;
      if (count > last || (count === last && !isAfter)) throw new Killed();
      const result = work();
      if (count === last) throw new Killed();
      return result;
    };
    const database = {
      exec: (sql: string) => orDie(() => db.exec(sql)),
      prepare(sql: string) {
        const statement = db.prepare(sql);
        return { ...statement, all: (...params: never[]) => orDie(() => statement.all(...params)) };
      },
      close: () => db.close(),
    };
    return { ...openedSqlite(database), isAlive: () => count < last };
  },
});

test.each(["ABORT", "ROLLBACK"])("after a statement that fails with %s, the next write succeeds", async (kind) => {
  const db = wasmDatabase();
  const store = sqliteStore(db);
  await store.write({ items: [itemOf("mtg_1")], removed: [] }, undefined);
  db.exec(`CREATE TRIGGER full BEFORE INSERT ON notetaker_documents BEGIN SELECT RAISE(${kind}, 'full'); END`);
  const failing = itemOf("mtg_2", { documents: [documentOf("doc_1")] });
  await expect(store.write({ state: "new", items: [failing], removed: [] }, undefined)).rejects.toThrow("full");
  expect(await store.readState()).toBeUndefined();
  expect(await store.ids(undefined, 5)).toEqual(["mtg_1"]);
  expect(await store.write({ items: [itemOf("mtg_2")], removed: [] }, undefined)).toEqual([]);
  db.close();
});

test("a handle may return whole numbers as BigInt", async () => {
  const db = wasmDatabase();
  const big = (row: object) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name, Number.isInteger(value) ? BigInt(value) : value]),
    );
  const handle: SqliteDatabase = {
    exec: db.exec,
    prepare(sql) {
      const { all, run } = db.prepare(sql);
      return { all: (...params) => all(...params).map((row) => big(row as object)), run };
    },
  };
  const item = itemOf("mtg_1", { transcript: transcriptOf("mtg_1", "The price.") });
  await (await locked(sqliteStore(handle))).release();
  await sqliteStore(handle).write({ items: [item], removed: [] }, undefined);
  const hits = await openArchive(handle).search("price");
  expect(hits).toEqual(await openArchive(db).search("price"));
  expect(hits).toHaveLength(1);
  db.close();
});

test.each([
  [0, 5_000],
  [60_000, 60_000],
])("a database that was set to wait %i ms for another process waits %i ms", async (before, after) => {
  const db = wasmDatabase();
  db.exec(`PRAGMA busy_timeout = ${before}`);
  await sqliteStore(db).readState();
  expect(db.all("PRAGMA busy_timeout")).toEqual([{ timeout: after }]);
  db.close();
});

test("a lease does not keep the process alive", async () => {
  const db = wasmDatabase();
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  const before = timers();
  const lock = await locked(sqliteStore(db));
  expect(timers()).toBe(before);
  await lock.release();
  db.close();
});
