/** A separate Postgres server for a test, on a free port of the loopback interface. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { freePort } from "../../support/free-port.js";

/** Debian does not put the programs of the server on the path. */
const DEBIAN = "/usr/lib/postgresql";

const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((left, right) => Number(right) - Number(left)) : [];
const folders = [...versions.map((version) => join(DEBIAN, version, "bin")), ...(process.env.PATH ?? "").split(":")];
const programs = folders.find((folder) => ["initdb", "postgres"].every((name) => existsSync(join(folder, name))));

/** Whether Postgres is installed. If not, its tests are skipped. */
export const hasPostgres = programs !== undefined;

/** The server refuses to run as root: then it runs as the user of Debian's package, or as nobody. */
function userOfServer(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const NOBODY = 65_534;
  const idOf = (flag: string) => Number(spawnSync("id", [flag, "postgres"], { encoding: "utf8" }).stdout) || NOBODY;
  return { uid: idOf("-u"), gid: idOf("-g") };
}

export interface PostgresServer {
  /** Connects to a schema of its own. */
  pool(schema?: string, options?: pg.PoolConfig): pg.Pool;
  /** Kills the server, without the time to save anything. */
  kill(): Promise<void>;
  /** Starts it again over the same data. */
  start(): Promise<void>;
  /** Stops the server finally, and removes its folder. */
  close(): Promise<void>;
}

export async function startPostgres(): Promise<PostgresServer> {
  if (programs === undefined) throw new Error("Postgres is not installed");
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), "notetaker-postgres-"));
  const user = userOfServer();
  if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, "data");
  // In a language, texts do not sort as their bytes do.
  const languages = [["--locale-provider=icu", "--icu-locale=en", "--locale=C.UTF-8"], ["--locale=C.UTF-8"]];
  let problem = "";
  const isMade = languages.some((language) => {
    const args = ["-D", data, "-U", "tester", "-A", "trust", "-E", "UTF8", "--no-sync", ...language];
    const { status, stderr } = spawnSync(join(programs, "initdb"), args, { ...user, cwd: folder, encoding: "utf8" });
    problem = stderr;
    return status === 0;
  });
  if (!isMade) throw new Error(`initdb failed: ${problem}`);
  let child: ChildProcess | undefined;

  const pool = (schema = "public", options: pg.PoolConfig = {}) => {
    const address = { host: "127.0.0.1", port, user: "tester", database: "postgres" };
    const made = new pg.Pool({ ...address, options: `-c search_path=${schema}`, ...options });
    // Tests kill connections.
    made.on("error", () => {});
    return made;
  };

  async function isReady(): Promise<boolean> {
    const one = pool();
    const answer = await one.query("SELECT 1").catch(() => undefined);
    await one.end();
    return answer !== undefined;
  }

  async function start(): Promise<void> {
    const args = ["-D", data, "-p", String(port), "-h", "127.0.0.1", "-k", folder, "-F"];
    child = spawn(join(programs ?? "", "postgres"), args, { ...user, cwd: folder, stdio: "ignore" });
    for (let attempt = 0; attempt < 2_000; attempt += 1) {
      if (await isReady()) return;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    throw new Error(`Postgres on port ${port} did not become ready`);
  }

  async function stop(signal: NodeJS.Signals): Promise<void> {
    const running = child;
    child = undefined;
    if (running === undefined || running.exitCode !== null) return;
    const exited = once(running, "exit");
    running.kill(signal);
    await exited;
  }

  await start();
  return {
    pool,
    kill: () => stop("SIGQUIT"),
    start,
    async close() {
      await stop("SIGINT");
      await rm(folder, { recursive: true, force: true });
    },
  };
}
