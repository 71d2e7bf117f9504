import { EventEmitter } from "node:events";
import { InvalidArgumentError, isNotetakerError } from "notetaker-sdk";
import { postgresStore, type SqlDriver, sqliteStore, sqlStore } from "notetaker-sdk/sql";
import { expect, test } from "vitest";
import { wasmDatabase } from "./wasm-sqlite.js";

const nothing = () => {};
const driver: SqlDriver = { dialect: "sqlite", all: () => [], transaction: () => [] };

test.each([
  [
    "nothing",
    () => sqliteStore(undefined as never),
    /^sqliteStore: db: expected a DatabaseSync of node:sqlite, .*received nothing/,
  ],
  ["a path", () => sqliteStore("meetings.sqlite" as never), /^sqliteStore: db: expected .*received a string/],
  [
    "D1, which is asynchronous",
    () => sqliteStore({ exec: nothing, prepare: nothing, batch: nothing } as never),
    /db: expected/,
  ],
  [
    "a Client of pg",
    () => postgresStore({ query: nothing, connect: nothing } as never),
    /^postgresStore: pool: expected a Pool of pg \(not a Client\) or a PGlite, received an object/,
  ],
  ["a URL", () => postgresStore("postgres://localhost" as never), /pool: expected .*received a string/],
  [
    "a driver without a dialect",
    () => sqlStore({ ...driver, dialect: "mysql" } as never),
    /^sqlStore: dialect: expected one of sqlite, postgres, received "mysql"/,
  ],
  [
    "a driver without transactions",
    () => sqlStore({ ...driver, transaction: undefined } as never),
    /driver: expected an object with the methods all and transaction/,
  ],
  ["no driver", () => sqlStore(null as never), /driver: expected/],
  [
    "an account that is no string",
    () => sqlStore(driver, { account: 7 as never }),
    /account: expected a string without U\+0000, received a number/,
  ],
  ["an account with U+0000", () => sqlStore(driver, { account: "\0" }), /account: expected/],
  [
    "an unknown option",
    () => sqliteStore(wasmDatabase(), { acount: "a" } as never),
    /^sqliteStore: acount: unknown option; did you mean account\?/,
  ],
])("%s is refused, and the message says what was expected", (_, make, message) => {
  expect(make).toThrow(InvalidArgumentError);
  expect(make).toThrow(message);
});

test("an account may be left out", () => {
  expect(sqlStore(driver, { account: undefined })).toBeDefined();
  expect(sqlStore(driver, {})).toBeDefined();
});

test("a driver whose rows are wrapped in an object is told so", async () => {
  const wrapped = sqlStore({ ...driver, all: () => ({ results: [] }) as never });
  const error = await wrapped.readState().catch((reason) => reason);
  expect(isNotetakerError(error)).toBe(true);
  expect(error.message).toContain("driver.all: expected the rows as an array, received an object");
  const notLists = sqlStore({ ...driver, all: () => [{}], transaction: () => [{ rows: [] }] as never });
  await expect(notLists.write({ items: [], removed: [] }, undefined)).rejects.toThrow(
    "driver.transaction: expected the rows",
  );
});

test("a parameter stays short, unless one meeting is longer", async () => {
  const lengths: number[] = [];
  const store = sqlStore({
    ...driver,
    all(_sql, params) {
      lengths.push(...params.map((param) => param?.length ?? 0));
      return [{}];
    },
  });
  await store.readMemory(Array.from({ length: 100_000 }, (_, index) => `mtg_${index}`));
  expect(Math.max(...lengths)).toBeLessThanOrEqual(500_002);
  expect(lengths.length).toBeGreaterThan(8);
});

test("a pool that refuses a transaction gets its client back without our listener", async () => {
  const client = Object.assign(new EventEmitter(), {
    async query(sql: string) {
      if (sql.startsWith("INSERT")) throw new Error("no such character");
      return { rows: [] };
    },
    release() {},
  });
  const pool = { totalCount: 1, query: async () => ({ rows: [{}] }), connect: async () => client };
  await expect(postgresStore(pool).write({ items: [], removed: [] }, undefined)).rejects.toThrow("no such character");
  expect(client.listenerCount("error")).toBe(0);
});
