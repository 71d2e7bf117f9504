import { once } from "node:events";
import { createServer } from "node:net";

/**
 * A free port below those that systems give to connections and to other tests, so that a server that is restarted gets
 * its port again. The port of the Cluster bus (10,000 above) is below them, too.
 */
export async function freePort(): Promise<number> {
  const port = 10_000 + Math.floor(Math.random() * 12_000);
  const server = createServer().listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch {
    return freePort();
  }
  server.close();
  await once(server, "close");
  return port;
}
