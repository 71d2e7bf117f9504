import { PGlite } from "@electric-sql/pglite";
import { afterAll, beforeAll } from "vitest";
import { databaseContract, openedPostgres } from "./databases.js";

let db: PGlite;
beforeAll(async () => {
  db = await PGlite.create();
}, 300_000);
afterAll(() => db.close());

databaseContract("PGlite", async () => {
  await db.exec("DROP SCHEMA IF EXISTS test CASCADE; CREATE SCHEMA test; SET search_path TO test");
  return openedPostgres(db);
});
