/** Writers beside each other. */
import { postgresStore } from "notetaker-sdk/sql";
import type { Pool } from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { itemOf, meetingOf } from "../sync/store/store-items.js";
import { hasPostgres } from "./support/postgres-server.js";
import { serverWithSchemas } from "./support/schemas.js";

describe.skipIf(!hasPostgres)("with a real Postgres", () => {
  const database = serverWithSchemas();
  let pool: Pool;
  beforeEach(async () => {
    ({ pool } = await database.emptySchema());
  });
  afterEach(() => pool.end());

  test("a reader that goes on after the highest version it saw misses nothing of several writers", async () => {
    const pools = Array.from({ length: 4 }, () => database.pool());
    await postgresStore(pool).ids(undefined, 1);
    let isWriting = true;
    const write = async (writer: Pool, from: number) => {
      const store = postgresStore(writer);
      for (let round = 0; round < 25; round += 1) {
        // Each meeting has two writers, and other meetings are in the same write.
        const ids = [`mtg_${from}`, `mtg_${(from + 1) % pools.length}`, `mtg_${from}_${round}`];
        const memory = await store.readMemory(ids);
        const items = ids.map((id) =>
          itemOf(id, {
            before: memory.get(id),
            memory: `${from}.${round}`,
            meeting: meetingOf(id, `${from}.${round}`),
          }),
        );
        await store.write({ items, removed: [] }, undefined);
      }
    };
    const seen = new Map<string, string>();
    const read = async (from: bigint) => {
      const sql =
        "SELECT id, title, version FROM notetaker_meetings WHERE account = '' AND version > $1 ORDER BY version";
      const { rows } = await pool.query(sql, [String(from)]);
      for (const { id, title } of rows) seen.set(id, title);
      return rows.length === 0 ? from : BigInt(rows.at(-1).version);
    };
    const readAll = async () => {
      let cursor = 0n;
      while (isWriting) cursor = await read(cursor);
      await read(cursor);
    };
    const reading = readAll();
    await Promise.all(pools.map(write));
    isWriting = false;
    await reading;
    const { rows } = await pool.query("SELECT id, title FROM notetaker_meetings");
    expect(rows.length).toBe(104);
    expect(seen).toEqual(new Map(rows.map(({ id, title }) => [id, title])));
    await Promise.all(pools.map((one) => one.end()));
  });

  test("a database whose transactions are serializable by default does not refuse writes beside each other", async () => {
    const options = `${pool.options.options} -c default_transaction_isolation=serializable`;
    const strict = database.pool({ options });
    const stores = Array.from({ length: 5 }, () => postgresStore(strict));
    const write = (id: string, index: number) =>
      stores[index % 5]?.write({ items: [itemOf(id)], removed: [] }, undefined);
    const refused = await Promise.all(Array.from({ length: 20 }, (_, index) => write(`mtg_${index}`, index)));
    expect(refused.flat()).toEqual([]);
    await strict.end();
  });
});
