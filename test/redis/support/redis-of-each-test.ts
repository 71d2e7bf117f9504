import { afterEach, beforeEach } from "vitest";
import { CLIENTS, type ConnectedClient } from "./clients.js";
import { type RedisServer, startRedis } from "./redis-server.js";
import { startWorker, type Worker } from "./start-worker.js";

/** A new server for each test, with a connected client. The workers that a test starts are killed at its end. */
export function redisOfEachTest() {
  let server: RedisServer;
  let connected: ConnectedClient;
  const workers: Worker[] = [];
  beforeEach(async () => {
    server = await startRedis();
    connected = await CLIENTS["redis 6"](server.url);
  });
  afterEach(async () => {
    for (const worker of workers.splice(0)) await worker.kill();
    connected.close();
    await server.close();
  });
  return {
    get server() {
      return server;
    },
    get client() {
      return connected.client;
    },
    startWorker(role: string, setting = ""): Worker {
      const worker = startWorker(role, server.url, setting);
      workers.push(worker);
      return worker;
    },
  };
}
