/** Kills between any two statements of a write, over a file. */
import { type SqliteDatabase, sqliteStore } from "notetaker-sdk/sql";
import { expect, test } from "vitest";
import { KILLED_BATCH, KILLED_IDS, KILLED_START, snapshot } from "./killed-batch.js";
import { databaseFile, wasmDatabase } from "./wasm-sqlite.js";

class Killed extends Error {}

/** A database that ends like its process, before or after its statement with this number. */
function mortal(db: SqliteDatabase, last: number, isAfter: boolean) {
  let count = 0;
  const orDie = <T>(work: () => T): T => {
    count += 1;
    if (count > last || (count === last && !isAfter)) throw new Killed();
    const result = work();
    if (count === last) throw new Killed();
    return result;
  };
  const database: SqliteDatabase = {
    exec: (sql) => orDie(() => db.exec(sql)),
    prepare(sql) {
      const statement = db.prepare(sql);
      return { ...statement, all: (...params) => orDie(() => statement.all(...params)) };
    },
  };
  return { database, isAlive: () => count < last };
}

test.each([
  ["before", false],
  ["after", true],
])("a process that is killed %s any statement leaves all of a write, or nothing", async (_, isAfter) => {
  const { path, remove } = await databaseFile();
  const results = new Set<string>();
  for (let last = 1, isDone = false; !isDone; last += 1) {
    const first = wasmDatabase(path);
    // As a user may begin anew.
    for (const table of ["meetings", "documents", "memory", "accounts"]) {
      if (last > 1) first.exec(`DELETE FROM notetaker_${table}`);
    }
    await sqliteStore(first).write(KILLED_START, undefined);
    const old = await snapshot(sqliteStore(first), async (sql) => first.all(sql));
    first.close();

    const killed = wasmDatabase(path);
    const { database, isAlive } = mortal(killed, last, isAfter);
    const outcome = await sqliteStore(database)
      .write(KILLED_BATCH, undefined)
      .catch((error) => error);
    killed.close();
    isDone = isAlive();
    expect(outcome).toEqual(isDone ? [] : expect.any(Killed));

    const next = wasmDatabase(path);
    const query = async (sql: string) => next.all(sql);
    const left = await snapshot(sqliteStore(next), query);
    const isOld = JSON.stringify(left) === JSON.stringify(old);
    results.add(isOld ? "old" : JSON.stringify(left));
    // The next run decides on what it reads: it writes all, or finds all written.
    const refused = await sqliteStore(next).write(KILLED_BATCH, undefined);
    expect([...refused].sort()).toEqual(isOld ? [] : KILLED_IDS);
    results.add(JSON.stringify(await snapshot(sqliteStore(next), query)));
    next.close();
  }
  expect(results.size).toBe(2);
  remove();
});
