/** Redis and Postgres: those of REDIS_URL and DATABASE_URL, or servers of this program's own, in a temporary folder. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startRedis } from "./start-redis.js";

/** Debian does not put the programs of the server on the path. */
const DEBIAN = "/usr/lib/postgresql";

export async function startServers() {
  const redis = await startRedis();
  const postgres = await startPostgres();
  return {
    stopRedis: redis.stop,
    env: { REDIS_URL: redis.url, DATABASE_URL: postgres.url },
    async stop() {
      await Promise.all([redis.stop(), postgres.stop()]);
    },
  };
}

async function startPostgres() {
  const { DATABASE_URL } = process.env;
  if (DATABASE_URL) return { url: DATABASE_URL, stop: async () => {} };
  const programs = programsOfPostgres();
  if (programs === undefined) {
    console.error("This example needs Postgres (apt-get install postgresql), or DATABASE_URL.");
    process.exit(1);
  }
  const folder = mkdtempSync(join(tmpdir(), "notetaker-postgres-"));
  const user = userOfServer();
  if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid);
  const options = { ...user, cwd: folder };
  const data = join(folder, "data");
  const made = spawnSync(join(programs, "initdb"), ["-D", data, "-U", "example", "-A", "trust", "-E", "UTF8"], options);
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  const port = await freePort();
  const args = ["-D", data, "-p", String(port), "-h", "127.0.0.1", "-k", folder, "-F"];
  const server = spawn(join(programs, "postgres"), args, { ...options, stdio: ["ignore", "ignore", "pipe"] });
  process.once("exit", () => server.kill("SIGQUIT"));
  await isReady(server);
  return {
    url: `postgres://example@127.0.0.1:${port}/postgres`,
    async stop() {
      const exited = once(server, "exit");
      server.kill("SIGINT");
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function programsOfPostgres(): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((left, right) => Number(right) - Number(left)) : [];
  const folders = [...(process.env.PATH ?? "").split(":"), ...versions.map((version) => join(DEBIAN, version, "bin"))];
  return folders.find((folder) => ["initdb", "postgres"].every((name) => existsSync(join(folder, name))));
}

/** The server refuses to run as root: then it runs as the user of the package. */
function userOfServer(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string) => Number(spawnSync("id", [flag, "postgres"], { encoding: "utf8" }).stdout);
  return { uid: idOf("-u"), gid: idOf("-g") };
}

async function isReady(server: ChildProcess): Promise<void> {
  let output = "";
  for await (const chunk of server.stderr ?? []) {
    output += String(chunk);
    if (output.includes("ready to accept connections")) break;
  }
  if (!output.includes("ready to accept connections")) throw new Error(`Postgres did not start: ${output}`);
  server.stderr?.resume();
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
