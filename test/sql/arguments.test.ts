import { EventEmitter } from "node:events";
import { InvalidArgumentError } from "notetaker-sdk";
import { postgresStore, type SqlDriver, sqliteStore, sqlStore } from "notetaker-sdk/sql";
import { expect, test } from "vitest";
import { wasmDatabase } from "./wasm-sqlite.js";

const nothing = () => {};
const driver: SqlDriver = { dialect: "sqlite", all: () => [], transaction: () => [] };
const pool = { totalCount: 1, query: async () => ({ rows: [] }), connect: async () => new EventEmitter() as never };

test.each<[string, () => unknown, string]>([
  ["nothing", () => sqliteStore(undefined as never), "db"],
  ["a path", () => sqliteStore("meetings.sqlite" as never), "db"],
  ["D1, which is asynchronous", () => sqliteStore({ exec: nothing, prepare: nothing, batch: nothing } as never), "db"],
  ["a Client of pg", () => postgresStore({ query: nothing, connect: nothing } as never), "pool"],
  ["a URL", () => postgresStore("postgres://localhost" as never), "pool"],
  ["an empty schema", () => postgresStore(pool, { schema: "" }), "schema"],
  ["a schema in SQLite", () => sqliteStore(wasmDatabase(), { schema: "main" } as never), "schema"],
  ["a driver without a dialect", () => sqlStore({ ...driver, dialect: "mysql" } as never), "dialect"],
  ["a driver without transactions", () => sqlStore({ ...driver, transaction: undefined } as never), "driver"],
  ["no driver", () => sqlStore(null as never), "driver"],
  ["an account that is no string", () => sqlStore(driver, { account: 7 as never }), "account"],
  ["an account with U+0000", () => sqlStore(driver, { account: "\0" }), "account"],
  ["an unknown option", () => sqliteStore(wasmDatabase(), { acount: "a" } as never), "acount"],
])("%s is refused", (_, make, path) => {
  expect(make).toThrow(InvalidArgumentError);
  expect(make).toThrow(
    expect.objectContaining({ issues: expect.arrayContaining([expect.objectContaining({ path })]) }),
  );
});

test("an account may be left out", () => {
  expect(sqlStore(driver, { account: undefined })).toBeDefined();
});

test("a driver that returns the rows inside of an object gets no lock", async () => {
  const rows = { rows: [] } as never;
  const wrong: [Partial<SqlDriver>, string][] = [
    [{ all: () => rows }, "driver.all"],
    [{ transaction: () => rows }, "driver.transaction"],
    [{ transaction: (statements) => statements.map(() => rows) }, "driver.transaction"],
  ];
  for (const [methods, path] of wrong) {
    const error = await sqlStore({ ...driver, ...methods })
      .lock?.()
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: "InvalidArgumentError", issues: [{ path }] });
  }
});

test("a parameter stays short, unless one meeting is longer", async () => {
  const lengths: number[] = [];
  const store = sqlStore({
    ...driver,
    all(_sql, params) {
      lengths.push(...params.map((param) => param?.length ?? 0));
      return [];
    },
  });
  await store.readMemory(Array.from({ length: 100_000 }, (_, index) => `mtg_${index}`));
  expect(Math.max(...lengths)).toBeLessThanOrEqual(500_002);
  expect(lengths.filter((length) => length > 100_000).length).toBeGreaterThan(2);
});

test("twenty stores listen once to the errors of their pool, and two transactions once to those of its client", async () => {
  const client = Object.assign(new EventEmitter(), { query: async () => ({ rows: [] }), release() {} });
  const shared = Object.assign(new EventEmitter(), { ...pool, connect: async () => client });
  const stores = Array.from({ length: 20 }, (_, index) => postgresStore(shared as never, { account: `${index}` }));
  for (const store of stores) await store.lock?.().catch(() => {});
  expect([shared.listenerCount("error"), client.listenerCount("error")]).toEqual([1, 1]);
});
