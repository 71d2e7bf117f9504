/**
 * Everything, by one command in a clone: `npm run many-accounts`. It starts Redis and Postgres,
 * unless REDIS_URL and DATABASE_URL are set, the emulator, the web process and two workers; three customers join.
 */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { startServers } from "./servers.js";
import { startProcess } from "./start-process.js";

const PORT = process.env.PORT ?? "3000";
const EMULATOR_PORT = process.env.EMULATOR_PORT ?? "4010";
const url = `http://127.0.0.1:${PORT}`;

const servers = await startServers();
const env = {
  ADMIN_KEY: "admin",
  ENCRYPTION_KEYS: `first:${randomBytes(32).toString("hex")}`, // in production a secret that stays the same
  PUBLIC_URL: url,
  PORT,
  EMULATOR_PORT,
  NOTETAKER_BASE_URL: `http://127.0.0.1:${EMULATOR_PORT}/v1`,
  ...process.env,
  ...servers.env,
};
const start = (file: string, ready: RegExp) => startProcess(new URL(file, import.meta.url), env, ready);
const processes = [
  await start("many-accounts-emulator.ts", /emulator: /),
  await start("../many-accounts/web.ts", /web: /),
  await start("../many-accounts/worker.ts", /waiting for jobs/),
  await start("../many-accounts/worker.ts", /waiting for jobs/),
];

for (const id of ["acme", "bolt", "corp"]) {
  const headers = { authorization: `Bearer ${env.ADMIN_KEY}` };
  const body = JSON.stringify({ token: `token-of-${id}` });
  await fetch(`${url}/customers/${id}`, { method: "PUT", headers, body });
}
console.log(
  `Three customers have joined: ${url}/customers (Bearer ${env.ADMIN_KEY}), ${url}/metrics; Ctrl+C stops everything.`,
);

await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
const exitCodes = await Promise.all(processes.map((one) => one.stop()));
await servers.stop();
process.exitCode = exitCodes.slice(1).every((code) => code === 0) ? 0 : 1; // the emulator ends by the signal
