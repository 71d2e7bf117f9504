/** Starts a Redis server for one program, on a free port of loopback. It writes nothing to the disk. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { createClient } from "redis";

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}

export async function startRedis() {
  const port = await freePort();
  const args = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", tmpdir()];
  const server = spawn("redis-server", args, { stdio: "ignore" });
  const client = createClient({ url: `redis://127.0.0.1:${port}`, socket: { reconnectStrategy: 50 } });
  // Connections are refused until the server listens. The client tries again.
  client.on("error", () => {});
  await client.connect();
  return {
    client,
    stop() {
      client.destroy();
      server.kill();
    },
  };
}
