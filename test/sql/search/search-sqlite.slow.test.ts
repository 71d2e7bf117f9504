/** The archive over SQLite. */
import { ConfigurationError } from "notetaker-sdk";
import { openArchive, type SqlDriver, sqliteStore } from "notetaker-sdk/sql";
import { expect, it } from "vitest";
import { itemOf, write } from "../../sync/store/store-items.js";
import { databaseFile, type WasmDatabase, wasmDatabase } from "../wasm-sqlite.js";
import { searchContract, talk } from "./search-contract.js";

/** As a user writes one. */
const driverOver = (db: WasmDatabase): SqlDriver => ({
  dialect: "sqlite",
  all: (sql, params) => db.all(sql, params),
  transaction(statements) {
    db.exec("BEGIN IMMEDIATE");
    const rows = statements.map(({ sql, params }) => db.all(sql, params));
    db.exec("COMMIT");
    return rows;
  },
});

searchContract("an archive in SQLite", async () => {
  const db = wasmDatabase();
  return {
    store: (account) => sqliteStore(db, account === undefined ? {} : { account }),
    database: db,
    driver: driverOver(db),
    query: async (sql) => db.all(sql),
    close: async () => db.close(),
  };
});

it("says which command makes the tables", async () => {
  const db = wasmDatabase();
  await expect(openArchive(db).search("x")).rejects.toThrow(ConfigurationError);
  await expect(openArchive(db).meetings.list()).rejects.toThrow(/notetaker-sdk sync --into/);
  db.close();
});

it("is whole after a kill before any statement", async () => {
  for (let kill = 1; kill < 40; kill += 1) {
    const { path, remove } = await databaseFile();
    const first = wasmDatabase(path);
    await write(
      sqliteStore(first),
      Array.from({ length: 25 }, (_, index) =>
        itemOf(`mtg_${index}`, { transcript: talk(`mtg_${index}`, "alpha", "x") }),
      ),
    );
    let statements = 0;
    const count = () => {
      statements += 1;
      if (statements === kill) {
        first.close();
        throw new Error("killed");
      }
    };
    const killed = openArchive({
      exec(sql) {
        count();
        return first.exec(sql);
      },
      prepare(sql) {
        count();
        return first.prepare(sql);
      },
    });
    const isKilled = await killed.search("alpha").then(
      () => false,
      () => true,
    );
    if (!isKilled) first.close();
    const again = wasmDatabase(path);
    expect(await openArchive(again).search("alpha", { limit: 200 }), `killed before statement ${kill}`).toHaveLength(
      25,
    );
    expect(again.all("SELECT count(*) AS n FROM notetaker_passages")).toEqual([{ n: 25 }]);
    expect(again.all("SELECT count(*) AS n FROM notetaker_words")).toEqual([{ n: 50 }]);
    again.close();
    remove();
    if (!isKilled) return;
  }
  throw new Error("no run had an end");
});
