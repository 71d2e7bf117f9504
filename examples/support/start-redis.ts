/** The Redis of `REDIS_URL`, or a new Redis server that writes nothing to disk. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { tmpdir } from "node:os";

export interface ExampleRedis {
  url: string;
  stop(): Promise<void>;
}

export async function startRedis(): Promise<ExampleRedis> {
  const { REDIS_URL } = process.env;
  if (REDIS_URL) return { url: REDIS_URL, stop: async () => {} };
  const port = await freePort();
  const args = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--dir", tmpdir()];
  const redis = spawn("redis-server", args, { stdio: ["ignore", "pipe", "inherit"] });
  process.once("exit", () => redis.kill());
  redis.on("error", () => {
    console.error("This example needs redis-server (apt-get install redis-server), or REDIS_URL.");
    process.exit(1);
  });
  for await (const line of redis.stdout) {
    if (String(line).includes("Ready to accept connections")) break;
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    async stop() {
      if (redis.exitCode !== null || redis.signalCode !== null) return;
      const exited = once(redis, "exit");
      redis.kill();
      await exited;
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
