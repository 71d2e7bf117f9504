/** The kinds of client that users may pass, each connected to a server of the test. */
import { Redis as Ioredis6, Cluster as Ioredis6Cluster } from "ioredis";
import { Redis as Ioredis5, Cluster as Ioredis5Cluster } from "ioredis5";
import type { RedisClient } from "notetaker-sdk/redis";
import * as redis6 from "redis";
import * as redis5 from "redis5";

export interface ConnectedClient {
  client: RedisClient;
  close(): void;
}

/** Many tests break the client's connection on purpose, so its error events are ignored. */
const ignore = () => {};

// TypeScript cannot call the types of two versions as one. redis.test-d.ts proves that each type is accepted.
async function nodeRedis(package_: typeof redis6, url: string): Promise<ConnectedClient> {
  const client = package_.createClient({ url, socket: { reconnectStrategy: 100 } });
  client.on("error", ignore);
  await client.connect();
  return { client, close: () => client.destroy() };
}

function ioredis(Redis: typeof Ioredis6, url: string): ConnectedClient {
  const client = new Redis(url, { retryStrategy: () => 100 });
  client.on("error", ignore);
  return { client, close: () => client.disconnect() };
}

export type ClientName = "redis 5" | "redis 6" | "ioredis 5" | "ioredis 6";

export const CLIENTS: Readonly<Record<ClientName, (url: string) => Promise<ConnectedClient>>> = {
  "redis 5": (url) => nodeRedis(redis5 as unknown as typeof redis6, url),
  "redis 6": (url) => nodeRedis(redis6, url),
  "ioredis 5": async (url) => ioredis(Ioredis5 as unknown as typeof Ioredis6, url),
  "ioredis 6": async (url) => ioredis(Ioredis6, url),
};

export const CLIENT_NAMES = Object.keys(CLIENTS) as ClientName[];

async function nodeRedisCluster(package_: typeof redis6, urls: readonly string[]) {
  const client = package_.createCluster({ rootNodes: urls.map((url) => ({ url })) });
  client.on("error", ignore);
  await client.connect();
  return { client, close: () => client.destroy() };
}

function ioredisCluster(Cluster: typeof Ioredis6Cluster, urls: readonly string[]) {
  const client = new Cluster(urls.map((url) => ({ host: "127.0.0.1", port: Number(new URL(url).port) })));
  client.on("error", ignore);
  return { client, close: () => client.disconnect() };
}

export const CLUSTER_CLIENTS: Readonly<Record<ClientName, (urls: readonly string[]) => Promise<ConnectedClient>>> = {
  "redis 5": (urls) => nodeRedisCluster(redis5 as unknown as typeof redis6, urls),
  "redis 6": (urls) => nodeRedisCluster(redis6, urls),
  "ioredis 5": async (urls) => ioredisCluster(Ioredis5Cluster as unknown as typeof Ioredis6Cluster, urls),
  "ioredis 6": async (urls) => ioredisCluster(Ioredis6Cluster, urls),
};

async function nodeRedisSentinel(package_: typeof redis6, port: number): Promise<ConnectedClient> {
  const client = package_.createSentinel({ name: "primary", sentinelRootNodes: [{ host: "127.0.0.1", port }] });
  client.on("error", ignore);
  await client.connect();
  return { client, close: () => client.destroy() };
}

function ioredisSentinel(Redis: typeof Ioredis6, port: number): ConnectedClient {
  const client = new Redis({ name: "primary", sentinels: [{ host: "127.0.0.1", port }] });
  client.on("error", ignore);
  return { client, close: () => client.disconnect() };
}

export const SENTINEL_CLIENTS: Readonly<Record<ClientName, (port: number) => Promise<ConnectedClient>>> = {
  "redis 5": (port) => nodeRedisSentinel(redis5 as unknown as typeof redis6, port),
  "redis 6": (port) => nodeRedisSentinel(redis6, port),
  "ioredis 5": async (port) => ioredisSentinel(Ioredis5 as unknown as typeof Ioredis6, port),
  "ioredis 6": async (port) => ioredisSentinel(Ioredis6, port),
};
