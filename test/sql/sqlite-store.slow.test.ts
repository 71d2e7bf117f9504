import type { StoreLock } from "notetaker-sdk";
import { sqliteStore } from "notetaker-sdk/sql";
import { expect, test } from "vitest";
import { storeContract } from "../sync/store/store-contract.js";
import { documentOf, itemOf } from "../sync/store/store-items.js";
import { tablesContract } from "./tables-contract.js";
import { readMeeting } from "./visible.js";
import { wasmDatabase } from "./wasm-sqlite.js";

storeContract("sqliteStore", async () => {
  const db = wasmDatabase();
  return {
    store: sqliteStore(db),
    another: () => sqliteStore(db),
    read: (id) => readMeeting(async (sql) => db.all(sql), id),
    close: async () => db.close(),
  };
});

tablesContract("tables in SQLite", async () => {
  const db = wasmDatabase();
  return {
    store: (account) => sqliteStore(db, { account }),
    query: async (sql) => db.all(sql),
    moveLease: async (seconds) =>
      db.all(`UPDATE notetaker_accounts
        SET held_until = strftime('%Y-%m-%dT%H:%M:%fZ', held_until, '${seconds} seconds')`),
    close: async () => db.close(),
  };
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
  const lock = (await sqliteStore(db).lock?.()) as StoreLock;
  expect(timers()).toBe(before);
  await lock.release();
  db.close();
});
