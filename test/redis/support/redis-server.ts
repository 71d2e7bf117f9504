/** A separate Redis server (or a Cluster of three) for a test, on free ports of the loopback interface. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../support/free-port.js";

/** Whether redis-server is installed. If not, its tests are skipped. */
export const hasRedis = spawnSync("redis-server", ["--version"]).status === 0;

export interface RedisServer {
  readonly port: number;
  readonly url: string;
  /** Runs a command with redis-cli, and returns its output. */
  cli(...args: readonly string[]): string;
  /** Kills the server, and waits until it has exited. */
  stop(): Promise<void>;
  /** Sends the server a signal, for example to stop it for a while. */
  signal(name: NodeJS.Signals): void;
  /** Starts a server on the same port. It is empty, or has the data of its last `SAVE`. */
  start(options?: { keepData?: boolean }): Promise<void>;
  /** Stops the server finally, and removes its folder. */
  close(): Promise<void>;
}

/** Waits until `isReady`. */
async function until(isReady: () => boolean, what: string): Promise<void> {
  for (let attempt = 0; attempt < 2_000; attempt += 1) {
    if (isReady()) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`${what} did not become ready`);
}

const redisCli = (port: number, args: readonly string[]) =>
  spawnSync("redis-cli", ["-h", "127.0.0.1", "-p", String(port), ...args], { encoding: "utf8" }).stdout.trim();

export async function startRedis(extraArgs: readonly string[] = []): Promise<RedisServer> {
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), "notetaker-redis-"));
  let child: ChildProcess | undefined;
  const cli = (...args: readonly string[]) => redisCli(port, args);

  async function start({ keepData = false } = {}): Promise<void> {
    if (!keepData) await rm(join(folder, "dump.rdb"), { force: true });
    const args = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", folder];
    child = spawn("redis-server", [...args, ...extraArgs], { stdio: "ignore" });
    await until(() => cli("PING") === "PONG", `redis-server on port ${port}`);
  }

  async function stop(): Promise<void> {
    const running = child;
    child = undefined;
    if (running === undefined || running.exitCode !== null) return;
    const exited = once(running, "exit");
    running.kill("SIGKILL");
    await exited;
  }

  await start();
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    cli,
    signal: (name) => void child?.kill(name),
    stop,
    start,
    async close() {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export async function startCluster(): Promise<{ servers: RedisServer[]; close(): Promise<void> }> {
  const servers: RedisServer[] = [];
  for (let index = 0; index < 3; index += 1) servers.push(await startRedis(["--cluster-enabled", "yes"]));
  const addresses = servers.map(({ port }) => `127.0.0.1:${port}`);
  const made = spawnSync("redis-cli", ["--cluster", "create", ...addresses, "--cluster-yes"], { encoding: "utf8" });
  if (made.status !== 0) throw new Error(`the Cluster was not created: ${made.stdout}${made.stderr}`);
  const isOk = ({ cli }: RedisServer) => cli("CLUSTER", "INFO").includes("cluster_state:ok");
  await until(() => servers.every(isOk), "the Cluster");
  return {
    servers,
    async close() {
      for (const server of servers) await server.close();
    },
  };
}

/** A server, and a Sentinel that knows the server as `primary`. */
export async function startSentinel(): Promise<{ sentinelPort: number; close(): Promise<void> }> {
  const server = await startRedis();
  const sentinelPort = await freePort();
  const folder = await mkdtemp(join(tmpdir(), "notetaker-sentinel-"));
  const path = join(folder, "sentinel.conf");
  await writeFile(path, `port ${sentinelPort}\nbind 127.0.0.1\nsentinel monitor primary 127.0.0.1 ${server.port} 1\n`);
  const child = spawn("redis-server", [path, "--sentinel"], { stdio: "ignore", cwd: folder });
  await until(() => redisCli(sentinelPort, ["PING"]) === "PONG", "the Sentinel");
  return {
    sentinelPort,
    async close() {
      const exited = once(child, "exit");
      child.kill("SIGKILL");
      await exited;
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
