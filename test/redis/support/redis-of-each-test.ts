import { afterEach, beforeEach } from "vitest";
import { CLIENTS, type ConnectedClient } from "./clients.js";
import { type RedisServer, startRedis } from "./redis-server.js";

/** A new server for each test, with a connected client. `connect` is another process: its client is closed at the end. */
export function redisOfEachTest() {
  let server: RedisServer;
  const connected: ConnectedClient[] = [];
  async function connect(): Promise<ConnectedClient> {
    const one = await CLIENTS["redis 6"](server.url);
    connected.push(one);
    return one;
  }
  beforeEach(async () => {
    server = await startRedis();
    await connect();
  });
  afterEach(async () => {
    for (const { close } of connected.splice(0)) close();
    await server.close();
  });
  return {
    get server() {
      return server;
    },
    get client() {
      return connected[0]!.client;
    },
    connect,
  };
}
