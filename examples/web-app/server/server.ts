/**
 * Starts the server: `npm start`, after `npm run build`. It also serves the built
 * page. In development, `npm run dev` starts it beside Vite.
 */
import { existsSync } from "node:fs";
import { serve } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import { Notetaker } from "notetaker-sdk";
import { createApp } from "./app.js";

const {
  NOTETAKER_WEBHOOK_SECRET: webhookSecret = "",
  PORT = "3000",
  HOSTS, // where the page is, if it is not this machine: "app.example.com"
} = process.env;
// Reads NOTETAKER_BASE_URL and NOTETAKER_TOKEN. A page does not wait for a
// minute: a longer pause becomes an error with its time.
const notetaker = new Notetaker({ maxRetryDelayMs: 5_000 });
const { app, close } = createApp(notetaker, {
  webhookSecret,
  hosts: HOSTS?.split(",") ?? [],
});

if (existsSync("dist")) app.use(serveStatic({ root: "dist" }));
// The page shows the meeting of its URL, also after a reload.
app.get("/meetings/*", serveStatic({ path: "dist/index.html" }));

const server = serve(
  { fetch: app.fetch, port: Number(PORT), hostname: "127.0.0.1" },
  ({ port }) => console.log(`server at http://127.0.0.1:${port}`),
);
process.once("SIGTERM", () => {
  close(); // ends the streams of the pages, which then connect to the next server
  server.close();
});
