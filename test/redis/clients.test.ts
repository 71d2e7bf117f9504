/**
 * Every Redis client that users may pass, with one server, a Cluster and a Sentinel: claims, limits, and events from
 * their publisher to a reader; what they do while the server is down; and what they store.
 */
import { Notetaker } from "notetaker-sdk";
import { type RedisClient, redisDedupe, redisEventLog, redisThrottle } from "notetaker-sdk/redis";
import { createEmulator } from "notetaker-sdk/testing";
import { createReceiver, createRelay } from "notetaker-sdk/webhooks";
import { createClient, RESP_TYPES } from "redis";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { eventOf } from "../webhooks/events.js";
import { expectOneHolder } from "../webhooks/receive/one-holder.js";
import { delivery, meetingBody, nodeSign, SECRET } from "../webhooks/signed-delivery.js";
import { CLIENT_NAMES, CLIENTS, CLUSTER_CLIENTS, type ConnectedClient, SENTINEL_CLIENTS } from "./support/clients.js";
import { hasRedis, type RedisServer, startCluster, startRedis, startSentinel } from "./support/redis-server.js";
import { impatientRequest, requestOf, TOKEN } from "./support/throttles.js";

async function checkThrottle({ client }: ConnectedClient, prefix: string): Promise<void> {
  const throttles = [1, 2].map(() => redisThrottle(client, { prefix, limits: { other: { perMinute: 1 } } }));
  const request = impatientRequest(1_000);
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
  const log = redisEventLog(client, { prefix });
  await log.append(eventOf(20), ["usr_1"]);
  expect(await log.after(ids[19]!, 10)).toMatchObject([{ event: eventOf(20), audience: ["usr_1"] }]);
}

async function checkAll(connected: ConnectedClient, name: string): Promise<void> {
  await expectOneHolder(redisDedupe(connected.client), name);
  await checkEvents(connected, `${name}:`);
  await checkThrottle(connected, `${name}:`);
}

const errorOf = (work: Promise<unknown>) => work.catch((error: unknown) => error);

const get = () => new Request("https://app.example.com/events");

/** A client, a receiver and a relay of one process, which share everything over `redis`. */
function processOn({ client }: ConnectedClient) {
  const service = createEmulator();
  const notetaker = new Notetaker({ ...service.clientOptions, throttle: redisThrottle(client) });
  const errors: unknown[] = [];
  const handled: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const receiver = createReceiver({ secrets: SECRET, dedupe: redisDedupe(client), onError });
  receiver.onUnhandled(({ meetingId }) => void handled.push(meetingId));
  const relay = createRelay({ authorize: () => true, log: redisEventLog(client), onError: () => {} });
  const deliver = async (id: string) => (await receiver.handle(delivery(meetingBody({ id })))).status;
  return { service, notetaker, errors, handled, relay, deliver };
}

describe.runIf(hasRedis)("one Redis server", () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server.close());

  it.each(CLIENT_NAMES)("supports claims, events and limits over %s", async (name) => {
    const connected = await CLIENTS[name](server.url);
    await checkAll(connected, name);
    connected.close();
  });

  it("supports claims, events and limits over a client that replies with buffers", async () => {
    const typeMapping = { [RESP_TYPES.BLOB_STRING]: Buffer, [RESP_TYPES.NUMBER]: String };
    const redis = createClient({ url: server.url, commandOptions: { typeMapping } }).on("error", () => {});
    await redis.connect();
    await checkAll({ client: redis as unknown as RedisClient, close: () => redis.destroy() }, "buffers");
    redis.destroy();
  });

  it("gets keys with a time to live, and no token, secret or body in any encoding", async () => {
    server.cli("FLUSHALL");
    const connected = await CLIENTS["redis 6"](server.url);
    const monitor = await CLIENTS["redis 6"](server.url);
    const lines: string[] = [];
    const monitoring = monitor.client as unknown as { monitor(listener: (line: string) => void): Promise<void> };
    await monitoring.monitor((line) => lines.push(line));
    const throttle = redisThrottle(connected.client, { prefix: "app:" });
    await throttle.acquire(requestOf());
    await throttle.acquire(requestOf({ operation: "webhooks.create" }));
    await throttle.pause({ operation: "rooms.list", token: TOKEN, limit: undefined, pauseMs: 600_000 });
    const receiver = createReceiver({ secrets: SECRET, dedupe: redisDedupe(connected.client, { prefix: "app:" }) });
    receiver.onUnhandled(() => {});
    const body = meetingBody({ title: "A very private title" });
    await receiver.handle(delivery(body));
    await redisEventLog(connected.client, { prefix: "app:", keepMs: 60_000 }).append(eventOf(5), undefined);
    await vi.waitFor(() => expect(lines.join("\n")).toContain("mtg_5"), 60_000);
    monitor.close();
    connected.close();
    const key = /^app:(throttle:\{[\w-]{43}\}:(other|createWebhook):(calls|pause)|dedupe:\{[\w-]{43}\})$/;
    const eventKey = /^app:\{events\}:log(:[\da-f]{12})?$/;
    const keys = server.cli("KEYS", "*").split("\n");
    expect(keys.filter((name) => key.test(name)).length).toBeGreaterThan(3);
    expect(keys.filter((name) => eventKey.test(name))).toHaveLength(2);
    for (const name of keys) {
      expect(key.test(name) || eventKey.test(name), name).toBe(true);
      expect(Number(server.cli("PTTL", name)), name).toBeGreaterThan(0);
    }
    const seen = lines.join("\n");
    expect(seen).toMatch(/eval/i);
    expect(seen).not.toContain(encodeURIComponent(TOKEN));
    const signature = nodeSign(body).slice("sha256=".length);
    for (const secret of [TOKEN, SECRET, "A very private title", "mtg_1", signature]) {
      for (const encoding of ["utf8", "hex", "base64", "base64url"] as const) {
        expect(seen).not.toContain(Buffer.from(secret).toString(encoding).replace(/=+$/, ""));
      }
    }
    expect(seen).not.toContain(Buffer.from(signature, "hex").toString("base64").slice(0, 20));
  });
});

describe.runIf(hasRedis)("a Redis server that is down", () => {
  it.each(CLIENT_NAMES)(
    "lets each operation fail without a call, and lets it work again afterwards: %s",
    async (name) => {
      const unhandled = vi.fn();
      process.on("unhandledRejection", unhandled);
      const server = await startRedis();
      const connected = await CLIENTS[name](server.url);
      const { service, notetaker, errors, handled, relay, deliver } = processOn(connected);
      await notetaker.rooms.list();
      expect(await deliver("mtg_1")).toBe(200);
      const reader = (await relay.handle(get())).body!.getReader();
      await reader.read();
      const lost = errorOf(reader.read());
      const requestsBefore = service.requests.length;
      await server.stop();

      const [call, status, published, response] = await Promise.all([
        errorOf(notetaker.rooms.list()),
        deliver("mtg_2"),
        errorOf(relay.publish(eventOf(1))),
        relay.handle(get()),
      ]);
      expect(call).toMatchObject({ name: "ConnectionError", outcome: "not_sent" });
      expect(service.requests).toHaveLength(requestsBefore);
      expect(status).toBe(503);
      expect(errors).toEqual([expect.objectContaining({ name: "ConnectionError", outcome: "not_sent" })]);
      // It depends on the moment whether the client knows already that its connection is lost.
      const outcome = expect.stringMatching(/^(not_sent|unknown)$/);
      expect(published).toMatchObject({ name: "ConnectionError", outcome });
      expect(response.status).toBe(503);
      expect(await lost).toBeInstanceOf(Error);

      await server.start();
      await vi.waitFor(() => notetaker.rooms.list(), 60_000);
      await vi.waitFor(async () => expect(await deliver("mtg_2")).toBe(200), 60_000);
      expect(handled).toEqual(["mtg_1", "mtg_2"]);
      const again = await vi.waitFor(async () => {
        const { status, body } = await relay.handle(get());
        expect(status).toBe(200);
        return body!.getReader();
      }, 60_000);
      await again.read();
      await relay.publish(eventOf(2));
      expect(new TextDecoder().decode((await again.read()).value)).toContain("mtg_2");
      await again.cancel();
      process.off("unhandledRejection", unhandled);
      expect(unhandled).not.toHaveBeenCalled();
      connected.close();
      await server.close();
    },
  );
});

describe.runIf(hasRedis)("a Redis Cluster of three servers", () => {
  let cluster: Awaited<ReturnType<typeof startCluster>>;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.close());

  it.each(CLIENT_NAMES)(
    "supports claims, events and limits over %s, and spreads deliveries and tokens",
    async (name) => {
      const connected = await CLUSTER_CLIENTS[name](cluster.servers.map(({ url }) => url));
      await checkAll(connected, name);
      const store = redisDedupe(connected.client);
      for (let index = 0; index < 12; index += 1) await expectOneHolder(store, `${name} ${index}`);
      const throttle = redisThrottle(connected.client, { prefix: `${name}:` });
      // Both keys of a token are on one server, or Redis would refuse the script.
      for (let index = 0; index < 12; index += 1) {
        await throttle.acquire(requestOf({ token: `token ${index}`, operation: "webhooks.create" }));
      }
      connected.close();
      for (const { cli } of cluster.servers) {
        for (const kind of ["dedupe", "throttle"]) expect(cli("KEYS", `*:${kind}:*`)).not.toBe("");
      }
    },
  );
});

describe.runIf(hasRedis)("a Redis server behind Sentinel", () => {
  let sentinel: Awaited<ReturnType<typeof startSentinel>>;
  beforeAll(async () => {
    sentinel = await startSentinel();
  });
  afterAll(() => sentinel.close());

  it.each(CLIENT_NAMES)("supports claims, events and limits over %s", async (name) => {
    const connected = await SENTINEL_CLIENTS[name](sentinel.sentinelPort);
    await checkAll(connected, name);
    connected.close();
  });
});
