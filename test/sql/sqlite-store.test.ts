import { sqliteStore } from "notetaker-sdk/sql";
import { storeContract } from "../sync/store-contract.js";
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
