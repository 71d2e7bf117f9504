/** The store of handled deliveries in SQL: in SQLite, and in Postgres as WebAssembly. */
import { PGlite } from "@electric-sql/pglite";
import { DatabaseSync } from "@photostructure/sqlite";
import type { DedupeStore } from "notetaker-sdk/webhooks";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { CREATE_TABLE, type Query, sqlDedupe } from "../receivers/sql-dedupe.js";

afterEach(() => {
  vi.useRealTimers();
});

async function inSqlite(): Promise<DedupeStore> {
  const database = new DatabaseSync(":memory:");
  onTestFinished(() => database.close());
  const query: Query = (sql, ...values) => database.prepare(sql).all(...values);
  await query(CREATE_TABLE);
  return sqlDedupe(query);
}

async function inPostgres(): Promise<DedupeStore> {
  const db = await PGlite.create();
  onTestFinished(() => db.close());
  // As the file says.
  const query: Query = async (sql, ...values) => {
    let count = 0;
    return (
      await db.query(
        sql.replaceAll("?", () => `$${++count}`),
        values,
      )
    ).rows;
  };
  await query(CREATE_TABLE);
  return sqlDedupe(query);
}

async function claimsEndInTime(store: DedupeStore): Promise<void> {
  vi.useFakeTimers({ toFake: ["Date"] });
  expect(await store.claim("k", "a")).toBe("claimed");
  expect(await store.claim("k", "b")).toBe("in_progress");
  expect(await store.claim("other", "b")).toBe("claimed");
  await store.release("k", "b");
  await store.complete("k", "b");
  expect(await store.claim("k", "b")).toBe("in_progress");
  await store.release("k", "a");
  expect(await store.claim("k", "b")).toBe("claimed");

  // The process of b has died. Its claim can be taken over, and b cannot settle the claim of c.
  vi.setSystemTime(Date.now() + 29_999);
  expect(await store.claim("k", "c")).toBe("in_progress");
  vi.setSystemTime(Date.now() + 1);
  expect(await store.claim("k", "c")).toBe("claimed");
  await store.complete("k", "b");
  await store.release("k", "b");
  expect(await store.claim("k", "d")).toBe("in_progress");

  await store.complete("k", "c");
  vi.setSystemTime(Date.now() + 180_000);
  expect(await store.claim("k", "d")).toBe("done");
  vi.setSystemTime(Date.now() + 86_400_000);
  expect(await store.claim("k", "d")).toBe("claimed");
  vi.useRealTimers();
}

async function oneOfManyClaimsSucceeds(store: DedupeStore): Promise<void> {
  const results = await Promise.all(Array.from({ length: 40 }, (_, index) => store.claim("many", `owner ${index}`)));
  expect(results.filter((result) => result === "claimed")).toHaveLength(1);
  expect(results.filter((result) => result === "in_progress")).toHaveLength(39);
}

test.each([
  ["SQLite", inSqlite],
  ["Postgres", inPostgres],
])("the dedupe store gives a delivery to one owner at a time, in %s", async (_, open) => {
  const store = await open();
  await claimsEndInTime(store);
  await oneOfManyClaimsSucceeds(store);
});
