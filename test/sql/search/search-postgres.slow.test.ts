/** The archive over Postgres. */
import { PGlite } from "@electric-sql/pglite";
import { postgresStore } from "notetaker-sdk/sql";
import { afterAll, beforeAll } from "vitest";
import { searchContract } from "./search-contract.js";

let db: PGlite;
beforeAll(async () => {
  db = await PGlite.create();
}, 300_000);
afterAll(() => db.close());

searchContract("an archive in PGlite", async () => {
  await db.exec("DROP SCHEMA IF EXISTS test CASCADE; CREATE SCHEMA test; SET search_path TO test");
  const query = async (sql: string, params: (string | null)[] = []) =>
    (await db.query<Record<string, unknown>>(sql, params)).rows;
  return {
    store: (account) => postgresStore(db, account === undefined ? {} : { account }),
    database: db,
    driver: {
      dialect: "postgres",
      all: query,
      transaction: (statements) =>
        db.transaction(async (client) => {
          const results: Record<string, unknown>[][] = [];
          for (const { sql, params } of statements)
            results.push((await client.query<Record<string, unknown>>(sql, params)).rows);
          return results;
        }),
    },
    query: (sql) => query(sql),
  };
});
