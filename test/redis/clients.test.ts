/**
 * Every Redis client that users may pass, with one server and with a Cluster: a claim, and an event from its publisher
 * to a reader.
 */
import { redisDedupe, redisEventLog, redisThrottle } from "notetaker-sdk/redis";
import { createRelay } from "notetaker-sdk/webhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventOf } from "../webhooks/events.js";
import { CLIENT_NAMES, CLIENTS, CLUSTER_CLIENTS, type ConnectedClient, SENTINEL_CLIENTS } from "./support/clients.js";
import { hasRedis, type RedisServer, startCluster, startRedis, startSentinel } from "./support/redis-server.js";
import { requestOf } from "./support/throttles.js";

async function checkClaims({ client }: ConnectedClient, key: string): Promise<void> {
  const store = redisDedupe(client);
  expect(await store.claim(key, "a")).toBe("claimed");
  expect(await store.claim(key, "b")).toBe("in_progress");
  await store.release(key, "b");
  await store.complete(key, "b");
  expect(await store.claim(key, "b")).toBe("in_progress");
  await store.release(key, "a");
  expect(await store.claim(key, "b")).toBe("claimed");
  await store.complete(key, "b");
  expect(await store.claim(key, "a")).toBe("done");
}

async function checkThrottle({ client }: ConnectedClient, prefix: string): Promise<void> {
  const throttles = [1, 2].map(() => redisThrottle(client, { prefix, limits: { other: { perMinute: 1 } } }));
  const request = requestOf({ remainingMs: () => 1_000 });
  await throttles[0]!.acquire(request);
  await expect(throttles[1]!.acquire(request)).rejects.toThrow("it would take too long");
}

async function checkEvents({ client }: ConnectedClient, prefix: string): Promise<void> {
  const relays = [1, 2].map(() => createRelay({ authorize: () => true, log: redisEventLog(client, { prefix }) }));
  const [publisher, reader] = relays;
  const response = await reader!.handle(new Request("https://app.example.com/events"));
  const ids: string[] = [];
  for (let number = 0; number < 20; number += 1) ids.push(await publisher!.publish(eventOf(number)));
  const stream = response.body!.getReader();
  const decoder = new TextDecoder();
  let text = "";
  while (!text.includes("mtg_19")) text += decoder.decode((await stream.read()).value);
  await stream.cancel();
  expect([...text.matchAll(/^id: (\S+)\ndata/gm)].map(([, id]) => id)).toEqual(ids);
}

describe.runIf(hasRedis)("one Redis server", () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server.close());

  it.each(CLIENT_NAMES)("supports claims, events and limits over %s", async (name) => {
    const connected = await CLIENTS[name](server.url);
    await checkClaims(connected, name);
    await checkEvents(connected, `${name}:`);
    await checkThrottle(connected, `${name}:`);
    connected.close();
  });
});

describe.runIf(hasRedis)("a Redis Cluster of three servers", () => {
  let cluster: Awaited<ReturnType<typeof startCluster>>;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.close());

  it.each(CLIENT_NAMES)("supports claims and events over %s, and spreads the claims", async (name) => {
    const connected = await CLUSTER_CLIENTS[name](cluster.servers.map(({ url }) => url));
    for (let index = 0; index < 12; index += 1) await checkClaims(connected, `${name} ${index}`);
    await checkEvents(connected, `${name}:`);
    connected.close();
    for (const { cli } of cluster.servers) expect(Number(cli("DBSIZE"))).toBeGreaterThan(0);
  });
});

describe.runIf(hasRedis)("a Redis server behind Sentinel", () => {
  let sentinel: Awaited<ReturnType<typeof startSentinel>>;
  beforeAll(async () => {
    sentinel = await startSentinel();
  });
  afterAll(() => sentinel.close());

  it.each(CLIENT_NAMES)("supports claims, events and limits over %s", async (name) => {
    const connected = await SENTINEL_CLIENTS[name](sentinel.sentinelPort);
    await checkClaims(connected, name);
    await checkEvents(connected, `${name}:`);
    await checkThrottle(connected, `${name}:`);
    connected.close();
  });
});
