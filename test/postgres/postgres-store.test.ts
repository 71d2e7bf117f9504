import { postgresStore } from "notetaker-sdk/sql";
import type { Pool } from "pg";
import { afterAll, beforeAll, describe } from "vitest";
import { tablesContract } from "../sql/tables-contract.js";
import { readMeeting } from "../sql/visible.js";
import { storeContract } from "../sync/store/store-contract.js";
import { hasPostgres, type PostgresServer, startPostgres } from "./support/postgres-server.js";

describe.skipIf(!hasPostgres)("with a real Postgres", () => {
  let server: PostgresServer;
  let count = 0;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.close());

  /** A pool with a schema of its own. */
  async function emptySchema(): Promise<Pool> {
    count += 1;
    const pool = server.pool(`test_${count}`);
    await pool.query(`CREATE SCHEMA test_${count}`);
    return pool;
  }

  storeContract("postgresStore", async () => {
    const pool = await emptySchema();
    return {
      store: postgresStore(pool),
      another: () => postgresStore(pool),
      read: (id) => readMeeting(async (sql) => (await pool.query(sql)).rows, id),
      close: () => pool.end(),
    };
  });

  tablesContract("tables in Postgres", async () => {
    const pool = await emptySchema();
    const query = async (sql: string) => (await pool.query(sql)).rows;
    return {
      store: (account) => postgresStore(pool, { account }),
      query,
      moveLease: (seconds) =>
        query(`UPDATE notetaker_accounts SET held_until = held_until + interval '${seconds} seconds'`),
      close: () => pool.end(),
    };
  });
});
