/**
 * `npm run dev`: the service (an emulator, so that no account is needed), the
 * server and Vite. The server is a process of its own, and restarts when its
 * files change; the page's events continue.
 */
import { spawn } from "node:child_process";
import { createServer as createTcpServer } from "node:net";
import { fileURLToPath } from "node:url";
import { EVENT_KINDS, Notetaker } from "notetaker-sdk";
import { createEmulator } from "notetaker-sdk/testing";
import { createServer } from "vite";

const folder = fileURLToPath(new URL(".", import.meta.url));
const port = await freePort();
const address = `http://127.0.0.1:${port}`;

// A summary is ready twenty seconds after the bot was sent.
const stepTimes = {
  admitMs: 3_000,
  callMs: 5_000,
  transcribeMs: 5_000,
  summariseMs: 5_000,
};
const service = createEmulator({ now: Date.now, stepTimes, limits: "none" });
const { secret } = await new Notetaker(service.clientOptions).webhooks.create({
  url: `${address}/hooks/notetaker`,
  events: [...EVENT_KINDS],
});
const { url, close } = await service.listen({ port: 0, control: true });

const tsx = fileURLToPath(import.meta.resolve("tsx/cli"));
const server = spawn(process.execPath, [tsx, "watch", "server/server.ts"], {
  cwd: folder,
  stdio: ["ignore", "inherit", "inherit"],
  env: {
    ...process.env,
    NOTETAKER_BASE_URL: url,
    NOTETAKER_TOKEN: service.token,
    NOTETAKER_WEBHOOK_SECRET: secret,
    REQUESTS_PER_MINUTE: "1000", // the emulator has no limits
    PORT: String(port),
  },
});

process.env.SERVER_URL = address; // read by vite.config.ts
const vite = await createServer({ root: folder });
await vite.listen();
const controls = new URL("/_emulator", url);
console.log(`\nSimulate failures at ${controls} (token ${service.token})`);
console.log(`Open ${vite.resolvedUrls?.local[0]} (Ctrl+C ends it)\n`);

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, async () => {
    server.kill();
    await Promise.all([vite.close(), close()]);
    process.exit();
  });
}

/** Another program may listen on port 3000. */
async function freePort(): Promise<number> {
  const probe = createTcpServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => probe.once("listening", resolve));
  const { port } = probe.address() as { port: number };
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
