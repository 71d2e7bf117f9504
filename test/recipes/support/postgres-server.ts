/** A separate Postgres server for a test, on a free port of the loopback interface. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { closedPort } from "../../support/loopback.js";

/** The folder of `initdb` and `postgres`, which Debian does not put on the path. */
const folder = [
  ...(process.env.PATH ?? "").split(":"),
  ...(existsSync("/usr/lib/postgresql")
    ? readdirSync("/usr/lib/postgresql").map((version) => `/usr/lib/postgresql/${version}/bin`)
    : []),
].find((path) => existsSync(join(path, "initdb")) && existsSync(join(path, "postgres")));

const isRoot = process.getuid?.() === 0;

/** Postgres refuses to run as root, so it runs as another user if there is one. */
function unprivileged(): { uid: number; gid: number } | undefined {
  const number = (flag: string) => Number(spawnSync("id", [flag, "postgres"], { encoding: "utf8" }).stdout);
  const [uid, gid] = [number("-u"), number("-g")];
  return uid > 0 ? { uid, gid } : undefined;
}

const user: { uid?: number; gid?: number } | undefined = isRoot ? unprivileged() : {};

/** Whether Postgres is installed. If not, its test is skipped. */
export const hasPostgres = folder !== undefined && user !== undefined;

/** Starts a server, and resolves to the variables with which clients connect to it. */
export async function startPostgres(): Promise<Record<string, string>> {
  const data = mkdtempSync(join(tmpdir(), "notetaker-postgres-"));
  if (isRoot) chownSync(data, user?.uid ?? 0, user?.gid ?? 0);
  const options = { ...user, cwd: data, env: { PATH: process.env.PATH, LC_ALL: "C.UTF-8" } };
  const program = (name: string) => join(folder ?? "", name);
  const args = ["-D", data, "-U", "recipe", "-A", "trust", "-E", "UTF8", "--no-sync"];
  const made = spawnSync(program("initdb"), args, { ...options, encoding: "utf8" });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);

  const { port } = new URL(await closedPort());
  const settings = ["-h", "127.0.0.1", "-p", port, "-k", "", "-c", "fsync=off"];
  const server = spawn(program("postgres"), ["-D", data, ...settings], {
    ...options,
    stdio: ["ignore", "ignore", "pipe"],
  });
  onTestFinished(async () => {
    const exited = once(server, "exit");
    server.kill("SIGINT");
    await exited;
    rmSync(data, { recursive: true, force: true });
  });
  let log = "";
  await new Promise<void>((resolve, reject) => {
    server.stderr.on("data", (data) => {
      log += String(data);
      if (log.includes("ready to accept connections")) resolve();
    });
    server.once("exit", () => reject(new Error(`postgres did not start: ${log}`)));
  });
  return { PGHOST: "127.0.0.1", PGPORT: port, PGUSER: "recipe", PGDATABASE: "postgres" };
}
