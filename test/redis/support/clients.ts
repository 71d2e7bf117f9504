/** The kinds of client that users may pass, each connected to a server of the test. */
import * as ioredis6 from "ioredis";
import * as ioredis5 from "ioredis5";
import type { RedisClient } from "notetaker-sdk/redis";
import * as redis6 from "redis";
import * as redis5 from "redis5";

export interface ConnectedClient {
  client: RedisClient;
  close(): void;
}

interface Connectable {
  on(event: "error", listener: () => void): unknown;
  readonly isOpen: boolean;
  connect(): Promise<unknown>;
  destroy(): void;
}

export type ClientName = "redis 5" | "redis 6" | "ioredis 5" | "ioredis 6";

/** Clients that connect to one kind of target. Many tests break their connections, so their errors are ignored. */
function clientsOf<Target>(
  nodeRedis: (package_: typeof redis6, target: Target) => object,
  ioredis: (package_: typeof ioredis6, target: Target) => ioredis6.Redis | ioredis6.Cluster,
): Readonly<Record<ClientName, (target: Target) => Promise<ConnectedClient>>> {
  const ofNodeRedis = (package_: unknown) => async (target: Target) => {
    const client = nodeRedis(package_ as typeof redis6, target) as RedisClient & Connectable;
    client.on("error", () => {});
    await client.connect();
    return { client, close: () => void (client.isOpen && client.destroy()) };
  };
  const ofIoredis = (package_: unknown) => async (target: Target) => {
    const client = ioredis(package_ as typeof ioredis6, target);
    client.on("error", () => {});
    return { client, close: () => client.disconnect() };
  };
  // TypeScript cannot call the types of two versions as one. redis.test-d.ts proves that each type is accepted.
  return {
    "redis 5": ofNodeRedis(redis5),
    "redis 6": ofNodeRedis(redis6),
    "ioredis 5": ofIoredis(ioredis5),
    "ioredis 6": ofIoredis(ioredis6),
  };
}

export const CLIENTS = clientsOf<string>(
  ({ createClient }, url) => createClient({ url, socket: { reconnectStrategy: 100 } }),
  ({ Redis }, url) => new Redis(url, { retryStrategy: () => 100 }),
);

export const CLIENT_NAMES = Object.keys(CLIENTS) as ClientName[];

export const CLUSTER_CLIENTS = clientsOf<readonly string[]>(
  ({ createCluster }, urls) => createCluster({ rootNodes: urls.map((url) => ({ url })) }),
  ({ Cluster }, urls) => new Cluster(urls.map((url) => ({ host: "127.0.0.1", port: Number(new URL(url).port) }))),
);

export const SENTINEL_CLIENTS = clientsOf<number>(
  ({ createSentinel }, port) => createSentinel({ name: "primary", sentinelRootNodes: [{ host: "127.0.0.1", port }] }),
  ({ Redis }, port) => new Redis({ name: "primary", sentinels: [{ host: "127.0.0.1", port }] }),
);
