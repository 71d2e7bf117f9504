/**
 * Keeps every meeting in Postgres. You can stop it at any time.
 *
 *   PGHOST=… PGDATABASE=… npx tsx warehouse.ts            ends when caught up
 *   PGHOST=… PGDATABASE=… npx tsx warehouse.ts --follow   runs until SIGTERM,
 *                             and receives webhooks on PORT
 */
import { createServer } from "node:http";
import { Notetaker, syncMeetings } from "notetaker-sdk";
import { postgresStore } from "notetaker-sdk/sql";
import { createReceiver, toNodeListener } from "notetaker-sdk/webhooks";
import pg from "pg";

const pool = new pg.Pool(); // reads PGHOST, PGUSER, PGDATABASE …
const into = postgresStore(pool);
const notetaker = new Notetaker();

if (process.argv.includes("--follow")) {
  const { NOTETAKER_WEBHOOK_SECRET, PORT = "3000" } = process.env;
  const receiver = createReceiver({ secrets: NOTETAKER_WEBHOOK_SECRET });
  const server = createServer(toNodeListener(receiver.handle));
  server.listen(Number(PORT), "127.0.0.1", () =>
    console.log("listening on", server.address()),
  );
  const stop = new AbortController();
  process.once("SIGTERM", () => stop.abort());
  const { signal } = stop;
  const wake = receiver.events();
  await syncMeetings(notetaker, { into, follow: true, wake, signal }).catch(
    (error) => {
      if (!signal.aborted) throw error;
    },
  );
  server.close();
} else {
  const { changed, missingCount } = await syncMeetings(notetaker, { into });
  console.log(`${changed} changed, ${missingCount} pieces missing`);
}
await pool.end();
