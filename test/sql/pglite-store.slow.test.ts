import { PGlite } from "@electric-sql/pglite";
import { postgresStore } from "notetaker-sdk/sql";
import { afterAll, beforeAll } from "vitest";
import { storeContract } from "../sync/store/store-contract.js";
import { tablesContract } from "./tables-contract.js";
import { readMeeting } from "./visible.js";

let db: PGlite;
beforeAll(async () => {
  db = await PGlite.create();
}, 300_000);
afterAll(() => db.close());

const emptySchema = () => db.exec("DROP SCHEMA IF EXISTS test CASCADE; CREATE SCHEMA test; SET search_path TO test");

const query = async (sql: string) => (await db.query<Record<string, unknown>>(sql)).rows;

storeContract("postgresStore over PGlite", async () => {
  await emptySchema();
  return {
    store: postgresStore(db),
    another: () => postgresStore(db),
    read: (id) => readMeeting(query, id),
  };
});

tablesContract("tables in PGlite", async () => {
  await emptySchema();
  return {
    store: (account) => postgresStore(db, { account }),
    query,
    moveLease: (seconds) =>
      query(`UPDATE notetaker_accounts SET held_until = held_until + interval '${seconds} seconds'`),
  };
});
