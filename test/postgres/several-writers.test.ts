/** Connections that end at any moment, and writers beside each other. */
import { type PostgresPool, postgresStore } from "notetaker-sdk/sql";
import type { Pool } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { KILLED_BATCH, KILLED_IDS, KILLED_START, snapshot } from "../sql/killed-batch.js";
import { itemOf, meetingOf } from "../sync/store/store-items.js";
import { hasPostgres, type PostgresServer, startPostgres } from "./support/postgres-server.js";

describe.skipIf(!hasPostgres)("with a real Postgres", () => {
  let server: PostgresServer;
  let pool: Pool;
  let count = 0;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    count += 1;
    pool = server.pool(`test_${count}`);
    await pool.query(`CREATE SCHEMA test_${count}`);
  });
  afterEach(() => pool.end());
  const query = async (sql: string) => (await pool.query(sql)).rows;

  /** The pool, whose connection the server ends before or after its statement with this number. */
  function mortal(last: number, isAfter: boolean) {
    let sent = 0;
    const connect = async () => {
      const client = await pool.connect();
      const kill = () =>
        pool.query("SELECT pg_terminate_backend($1)", [(client as unknown as { processID: number }).processID]);
      return Object.assign(Object.create(client) as typeof client, {
        async query(...args: [string, (string | null)[]]) {
          sent += 1;
          if (sent === last && !isAfter) await kill();
          const result = await client.query(...args);
          if (sent !== last) return result;
          await kill();
          throw new Error("the answer was lost");
        },
      });
    };
    const mortalPool: PostgresPool = { totalCount: 1, query: (sql, params) => pool.query(sql, params), connect };
    return { mortalPool, isAlive: () => sent < last };
  }

  test.each([
    ["before", false],
    ["after", true],
  ])("a connection that is lost %s any statement leaves all of a write, or nothing", async (_, isAfter) => {
    const results = new Set<string>();
    for (let last = 1, isDone = false; !isDone; last += 1) {
      const store = postgresStore(pool);
      await store.ids(undefined, 1);
      await pool.query("TRUNCATE notetaker_meetings, notetaker_documents, notetaker_memory, notetaker_accounts");
      await store.write(KILLED_START, undefined);
      const old = JSON.stringify(await snapshot(store, query));
      const { mortalPool, isAlive } = mortal(last, isAfter);
      const killed = postgresStore(mortalPool);
      const outcome = await killed.write(KILLED_BATCH, undefined).catch((error) => error);
      isDone = isAlive();
      expect(outcome).toEqual(isDone ? [] : expect.any(Error));
      const left = JSON.stringify(await snapshot(store, query));
      results.add(left === old ? "old" : left);
      // The same pool goes on, over another connection.
      expect([...(await store.write(KILLED_BATCH, undefined))].sort()).toEqual(left === old ? [] : KILLED_IDS);
      results.add(JSON.stringify(await snapshot(store, query)));
    }
    expect(results.size).toBe(2);
  });

  test("a reader that goes on after the highest version it saw misses nothing of several writers", async () => {
    const pools = Array.from({ length: 4 }, () => server.pool(`test_${count}`));
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
    const stored = await query("SELECT id, title FROM notetaker_meetings");
    expect(stored.length).toBe(104);
    expect(seen).toEqual(new Map(stored.map(({ id, title }) => [id, title])));
    await Promise.all(pools.map((one) => one.end()));
  });

  test("a database whose transactions are serializable by default does not refuse writes beside each other", async () => {
    const strict = server.pool("public", {
      options: `-c search_path=test_${count} -c default_transaction_isolation=serializable`,
    });
    const stores = Array.from({ length: 5 }, () => postgresStore(strict));
    const write = (id: string, index: number) =>
      stores[index % 5]?.write({ items: [itemOf(id)], removed: [] }, undefined);
    const refused = await Promise.all(Array.from({ length: 20 }, (_, index) => write(`mtg_${index}`, index)));
    expect(refused.flat()).toEqual([]);
    await strict.end();
  });
});
