/**
 * `npm run dev`: the service (an emulator, so that no account is needed), the
 * server and Vite. The server is a process of its own, and restarts when its
 * files change; the page's events continue.
 */
import { spawn } from "node:child_process";
import { EVENT_KINDS, Notetaker } from "notetaker-sdk";
import { createEmulator } from "notetaker-sdk/testing";
import { createServer } from "vite";

const SERVER = 3000;

// A summary is ready twenty seconds after the bot was sent.
const stepTimes = {
  admitMs: 3_000,
  callMs: 5_000,
  transcribeMs: 5_000,
  summariseMs: 5_000,
};
const service = createEmulator({ now: Date.now, stepTimes });
const { secret } = await new Notetaker(service.clientOptions).webhooks.create({
  url: `http://127.0.0.1:${SERVER}/hooks/notetaker`,
  events: [...EVENT_KINDS],
});
const { url, close } = await service.listen({ port: 0 });

const server = spawn("npx", ["tsx", "watch", "server/server.ts"], {
  stdio: ["ignore", "inherit", "inherit"],
  env: {
    ...process.env,
    NOTETAKER_BASE_URL: url,
    NOTETAKER_TOKEN: service.token,
    NOTETAKER_WEBHOOK_SECRET: secret,
    PORT: String(SERVER),
  },
});
const vite = await createServer({ root: import.meta.dirname });
await vite.listen();
vite.printUrls();

process.once("SIGINT", async () => {
  server.kill();
  await Promise.all([vite.close(), close()]);
  process.exit();
});
