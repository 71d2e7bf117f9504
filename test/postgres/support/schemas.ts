import type pg from "pg";
import { afterAll, beforeAll } from "vitest";
import { type PostgresServer, startPostgres } from "./postgres-server.js";

/** A server for the tests of a file, and in it a schema for each test. */
export function serverWithSchemas() {
  let server: PostgresServer;
  let count = 0;
  const schema = () => `test_${count}`;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.close());
  return {
    get server() {
      return server;
    },
    /** A pool in the schema that was made last. */
    pool: (options?: pg.PoolConfig) => server.pool(schema(), options),
    /** Makes a schema. The pool is the test's to end. */
    async emptySchema() {
      count += 1;
      const pool = server.pool(schema());
      await pool.query(`CREATE SCHEMA ${schema()}`);
      return { pool, schema: schema(), number: count };
    },
  };
}
