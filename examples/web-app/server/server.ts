/**
 * Starts the server: `npm start`, after `npm run build`. It also serves the built
 * page. In development, `npm run dev` starts it beside Vite.
 */
import { existsSync, readFileSync } from "node:fs";
import { PGlite } from "@electric-sql/pglite";
import { serve } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import { Notetaker } from "notetaker-sdk";
import { openArchive } from "notetaker-sdk/sql";
import { createApp } from "./app.js";
import { keepArchive } from "./archive.js";

const {
  NOTETAKER_WEBHOOK_SECRET: webhookSecret = "",
  PORT = "3000",
  DATABASE = "memory://", // a folder: with it, a restart need not read all again
  REQUESTS_PER_MINUTE = "40", // of the 60 that the account has, until all is read
  HOSTS, // where the page is, if it is not this machine: "app.example.com"
} = process.env;
// Reads NOTETAKER_BASE_URL and NOTETAKER_TOKEN. A page does not wait for a
// minute: a longer pause becomes an error with its time.
const notetaker = new Notetaker({ maxRetryDelayMs: 5_000 });
// A whole Postgres in this process; for more than one, a `Pool` of pg.
const database = new PGlite(DATABASE);
const { app, events, close } = createApp(notetaker, {
  webhookSecret,
  archive: openArchive(database),
  hosts: HOSTS?.split(",") ?? [],
});

const stopKeeping = keepArchive(notetaker, database, {
  wake: events,
  requestsPerMinute: Number(REQUESTS_PER_MINUTE),
});

if (existsSync("dist")) {
  app.use(serveStatic({ root: "dist" }));
  // The page shows the meeting or the search of its URL, also after a reload.
  for (const path of ["/meetings/*", "/search"])
    app.get(path, serveStatic({ path: "dist/index.html" }));
  // It also says that there is no such page.
  const page = readFileSync("dist/index.html", "utf8");
  app.notFound((c) => c.html(page, 404));
}

const server = serve(
  { fetch: app.fetch, port: Number(PORT), hostname: "127.0.0.1" },
  ({ port }) => console.log(`server at http://127.0.0.1:${port}`),
);
process.once("SIGTERM", async () => {
  close(); // ends the streams of the pages, which then connect to the next server
  server.close();
  await stopKeeping();
  await database.close();
});
