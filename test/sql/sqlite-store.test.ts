import { sqliteStore } from "notetaker-sdk/sql";
import { storeContract } from "../sync/store-contract.js";
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
