import { describe } from "vitest";
import { databaseContract, openedPostgres } from "../sql/databases.js";
import { Killed, killsContract } from "../sql/kills-contract.js";
import { hasPostgres } from "./support/postgres-server.js";
import { serverWithSchemas } from "./support/schemas.js";

describe.skipIf(!hasPostgres)("with a real Postgres", () => {
  const database = serverWithSchemas();

  databaseContract("Postgres", async () => {
    const { pool } = await database.emptySchema();
    return openedPostgres(pool, () => pool.end());
  });

  killsContract("Postgres", {
    begin: async () => void (await database.emptySchema()).pool.end(),
    async open() {
      const pool = database.pool();
      return openedPostgres(pool, () => pool.end());
    },
    /** The server ends the connection. */
    async mortal(last, isAfter) {
      const pool = database.pool();
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
            throw new Killed();
          },
        });
      };
      const mortalPool = { totalCount: 1, query: pool.query.bind(pool), connect };
      return { ...openedPostgres(mortalPool, () => pool.end()), isAlive: () => sent < last };
    },
  });
});
