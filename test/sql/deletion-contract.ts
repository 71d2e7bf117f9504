/** docs/database.md: the rows of an account are deleted. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { codeBlocks } from "../support/code-blocks.js";
import { documentOf, itemOf, locked, write } from "../sync/store/store-items.js";
import type { OpenedDatabase } from "./tables-contract.js";

/** The statements of the guide, one by one. */
const deleteAcme = codeBlocks()
  .filter(({ at, language }) => at.startsWith("docs/database.md") && language === "sql")
  .flatMap(({ code }) => code.trim().split(";\n"));

export function describeDeletion(db: () => OpenedDatabase): void {
  test("the statements of the guide delete the rows of one account from every table", async () => {
    const documents = [documentOf("doc_1")];
    const items = [itemOf("mtg_1", { documents }), itemOf("mtg_2", { meeting: undefined })];
    for (const account of ["acme", "other"]) await write(db().store(account), items);
    const source = readFileSync(new URL("../../src/sql/tables.ts", import.meta.url), "utf8");
    const tables = [...source.matchAll(/CREATE TABLE IF NOT EXISTS (\w+)/g)].map(([, name = ""]) => name);
    expect(tables).toHaveLength(4);
    const accounts = async () => {
      const rows = await Promise.all(
        tables.map((table) => db().query(`SELECT account FROM ${table} ORDER BY account`)),
      );
      return rows.map((of) => of.map(({ account }) => account));
    };
    expect(await accounts()).toEqual(tables.map(() => ["acme", "other"]));
    for (const statement of deleteAcme) await db().query(statement);
    expect(await accounts()).toEqual(tables.map(() => ["other"]));
  });

  test("a run whose account was deleted writes nothing more", async () => {
    const store = db().store("acme");
    const lock = await locked(store);
    for (const statement of deleteAcme) await db().query(statement);
    await expect(store.write({ items: [itemOf("mtg_1")], removed: [] }, lock)).rejects.toThrow("another run");
    await lock.release();
    expect(await db().query("SELECT account FROM notetaker_accounts")).toEqual([]);
    expect(await db().query("SELECT account FROM notetaker_meetings")).toEqual([]);
  });
}
