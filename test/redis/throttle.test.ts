/** The limits of an account over several processes: exact, in order, and working even if a process dies. */

import { Notetaker } from "notetaker-sdk";
import { ConfigurationError, redisThrottle, type ThrottleRequest } from "notetaker-sdk/redis";
import { createEmulator } from "notetaker-sdk/testing";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { recogniseClient } from "../../src/redis/connection/recognise-client.js";
import { RedisServer as ScriptServer } from "../../src/redis/redis-server.js";
import { LimitLine } from "../../src/redis/throttle/limit-line.js";
import type { RateWindow } from "../../src/transport/throttle/throttle-options.js";
import { CLIENT_NAMES, CLIENTS, CLUSTER_CLIENTS, type ConnectedClient } from "./support/clients.js";
import { hasRedis, type RedisServer, startCluster, startRedis } from "./support/redis-server.js";
import { startWorker, type Worker } from "./support/start-worker.js";

const TOKEN = "a-very-secret-token-0123456789";

const requestOf = (fields: Partial<ThrottleRequest> = {}): ThrottleRequest => ({
  operation: "rooms.list",
  token: TOKEN,
  signal: undefined,
  remainingMs: () => Number.POSITIVE_INFINITY,
  onWait: () => {},
  createTimeoutError: () => new Error("it would take too long"),
  ...fields,
});

/** The largest number of times within any window of `windowMs`. */
function mostWithin(times: readonly number[], windowMs: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  let most = 0;
  let from = 0;
  for (const [index, time] of sorted.entries()) {
    while (time - (sorted[from] ?? time) >= windowMs) from += 1;
    most = Math.max(most, index - from + 1);
  }
  return most;
}

describe.runIf(hasRedis)("redisThrottle", () => {
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

  /** A throttle as in another process, with short windows. */
  const lineOf = (process: string, windows: readonly RateWindow[], client = connected.client) =>
    new LimitLine({
      server: new ScriptServer("test", recogniseClient("test", client)),
      process,
      keyBase: "test:{account}:limit",
      windows,
      holdsPlaceForOtherLimit: false,
      mayGoWithoutRedis: () => false,
      onReached: () => {},
      onIdle: () => {},
    });

  it("lets three processes together send exactly the allowed calls in any window, without losing time", async () => {
    const windows = [
      { windowMs: 1_000, max: 5 },
      { windowMs: 3_000, max: 12 },
    ];
    const lines = ["a", "b", "c"].map((process) => lineOf(process, windows));
    const startedAt = performance.now();
    const times = await Promise.all(
      Array.from({ length: 24 }, async (_, index) => {
        await lines[index % 3]!.take(requestOf());
        return performance.now();
      }),
    );
    expect(mostWithin(times, 1_000)).toBe(5);
    expect(mostWithin(times, 3_000)).toBeLessThanOrEqual(12);
    // 12 within three windows of 1 s, and the other 12 a window of 3 s later, each with its margin of 300 ms.
    expect(Math.max(...times) - startedAt).toBeLessThan(3_300 + 2_600 + 700);
  });

  it("sends calls in the order of their arrival, over all processes", async () => {
    const lines = ["a", "b"].map((process) => lineOf(process, [{ windowMs: 300, max: 1 }]));
    const order: number[] = [];
    const going: Promise<unknown>[] = [];
    for (let index = 0; index < 8; index += 1) {
      going.push(lines[index % 2]!.take(requestOf()).then(() => order.push(index)));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await Promise.all(going);
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it("takes no place for a call that is cancelled or cannot be sent in time", async () => {
    const [first, second] = ["a", "b"].map((process) => lineOf(process, [{ windowMs: 2_000, max: 1 }]));
    await first!.take(requestOf());
    const startedAt = performance.now();
    const abort = new AbortController();
    const reason = new Error("the user left");
    const cancelled = first!.take(requestOf({ signal: abort.signal }));
    const late = first!.take(requestOf({ remainingMs: () => 500 }));
    await expect(late).rejects.toThrow("it would take too long");
    expect(performance.now() - startedAt).toBeLessThan(400);
    const next = second!.take(requestOf());
    await new Promise((resolve) => setTimeout(resolve, 100));
    abort.abort(reason);
    await expect(cancelled).rejects.toBe(reason);
    await next;
    expect(performance.now() - startedAt).toBeGreaterThan(1_900);
    expect(performance.now() - startedAt).toBeLessThan(4_300);
  });

  it("delays others by at most a few seconds if a waiting process dies", async () => {
    const windows = [{ windowMs: 1_000, max: 1 }];
    const dying = await CLIENTS["ioredis 6"](server.url);
    const dead = lineOf("dead", windows, dying.client);
    await dead.take(requestOf());
    for (let index = 0; index < 20; index += 1) dead.take(requestOf()).catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 200));
    dying.close();
    const startedAt = performance.now();
    await lineOf("alive", windows).take(requestOf());
    expect(performance.now() - startedAt).toBeLessThan(7_000);
  });

  it("pauses all processes if the service reports a used-up limit", async () => {
    const [first, second] = [redisThrottle(connected.client), redisThrottle(connected.client)];
    await first.acquire(requestOf());
    await first.hold({ operation: "rooms.list", token: TOKEN, limit: 60, holdMs: 800 });
    const waits: number[] = [];
    const startedAt = performance.now();
    await second.acquire(requestOf({ onWait: (waitMs) => waits.push(waitMs) }));
    expect(performance.now() - startedAt).toBeGreaterThan(700);
    expect(waits).toEqual([expect.any(Number)]);
    // Another limit, and another account, are not paused.
    const free = performance.now();
    await second.acquire(requestOf({ operation: "meetings.upload" }));
    await second.acquire(requestOf({ token: "another" }));
    expect(performance.now() - free).toBeLessThan(300);
  });

  it("takes a place in each of two limits at the time when the call is sent", async () => {
    const throttle = redisThrottle(connected.client, {
      limits: { createWebhook: { perMinute: 2 }, other: { perMinute: 3 } },
    });
    const soon = (operation: string) => requestOf({ operation, remainingMs: () => 1_000 });
    await throttle.acquire(soon("webhooks.create"));
    await throttle.acquire(soon("webhooks.create"));
    await expect(throttle.acquire(soon("webhooks.create"))).rejects.toThrow("too long");
    await throttle.acquire(soon("rooms.list"));
    await expect(throttle.acquire(soon("rooms.list"))).rejects.toThrow("too long");
    const key = server.cli("KEYS", "*createWebhook:sent");
    const scores = server
      .cli("ZRANGE", key, "0", "-1", "WITHSCORES")
      .split("\n")
      .filter((_, index) => index % 2 === 1);
    // The places count from the time when the calls were sent.
    for (const score of scores) expect(Number(score)).toBeLessThanOrEqual(Date.now() + 1_000);
  });

  it("needs one round trip per call", async () => {
    const throttle = redisThrottle(connected.client);
    await throttle.acquire(requestOf());
    const scripts = () => Number(/cmdstat_evalsha:calls=(\d+)/.exec(server.cli("INFO", "commandstats"))?.[1] ?? 0);
    const before = scripts();
    for (let index = 0; index < 20; index += 1) await throttle.acquire(requestOf());
    expect(scripts() - before).toBe(20);
  });

  it("sets a time to live on every key, and writes the token to Redis in no encoding", async () => {
    const monitor = await CLIENTS["redis 6"](server.url);
    const lines: string[] = [];
    const monitoring = monitor.client as unknown as { monitor(listener: (line: string) => void): Promise<void> };
    await monitoring.monitor((line) => lines.push(line));
    const throttle = redisThrottle(connected.client, { prefix: "app:" });
    await throttle.acquire(requestOf());
    await throttle.acquire(requestOf({ operation: "webhooks.create" }));
    await throttle.hold({ operation: "rooms.list", token: TOKEN, limit: undefined, holdMs: 50 });
    await new Promise((resolve) => setTimeout(resolve, 50));
    monitor.close();
    const keys = server.cli("KEYS", "*").split("\n");
    expect(keys.length).toBeGreaterThan(2);
    for (const key of keys) {
      expect(key).toMatch(/^app:throttle:\{[\w-]{43}\}:(other|createWebhook):(sent|queue|processes|state)$/);
      expect(Number(server.cli("PTTL", key)), key).toBeGreaterThan(0);
    }
    const seen = lines.join("\n");
    for (const encoding of ["utf8", "hex", "base64", "base64url"] as const) {
      expect(seen).not.toContain(Buffer.from(TOKEN).toString(encoding).replace(/=+$/, ""));
    }
    expect(seen).not.toContain(encodeURIComponent(TOKEN));
  });

  it("refuses an invalid limit with a ConfigurationError", () => {
    const make = (limits: unknown) => () => redisThrottle(connected.client, { limits: limits as never });
    for (const perMinute of [0, -1, Number.NaN, "10", 1.5]) {
      expect(make({ other: { perMinute } })).toThrow(ConfigurationError);
    }
    expect(make({ sendbot: { perMinute: 5 } })).toThrow(/limits\.sendbot.*did you mean sendBot/);
  });

  it.each(CLIENT_NAMES)(
    "rejects a call with not_sent while Redis is down, and recovers afterwards: %s",
    async (name) => {
      const own = await CLIENTS[name](server.url);
      const service = createEmulator();
      const unhandled = vi.fn();
      process.on("unhandledRejection", unhandled);
      const { baseUrl, token, fetch } = service;
      const notetaker = new Notetaker({ baseUrl, token, fetch, throttle: redisThrottle(own.client) });
      await notetaker.rooms.list();
      const before = service.requests.length;
      await server.stop();
      const startedAt = Date.now();
      const error = await notetaker.rooms.list().catch((error: unknown) => error);
      expect(error).toMatchObject({ name: "ConnectionError", outcome: "not_sent" });
      expect(Date.now() - startedAt).toBeLessThan(10_000);
      expect(service.requests).toHaveLength(before);
      await server.start();
      const backAt = Date.now();
      for (;;) {
        const result = await notetaker.rooms.list().catch(() => undefined);
        if (result !== undefined) break;
        expect(Date.now() - backAt).toBeLessThan(15_000);
      }
      process.off("unhandledRejection", unhandled);
      expect(unhandled).not.toHaveBeenCalled();
      own.close();
    },
  );

  it('sends calls while Redis is down if onError is "open", and reports the outage once', async () => {
    const reported: unknown[] = [];
    const throttle = redisThrottle(connected.client, {
      onError: "open",
      onUnavailable: (error) => reported.push(error),
    });
    await server.stop();
    const startedAt = Date.now();
    await Promise.all(["rooms.list", "webhooks.create"].map((operation) => throttle.acquire(requestOf({ operation }))));
    for (let index = 0; index < 20; index += 1) await throttle.acquire(requestOf());
    expect(Date.now() - startedAt).toBeLessThan(9_000);
    expect(reported).toHaveLength(1);
  });

  it("frees a place that Redis grants after the time limit of its call", async () => {
    const throttle = redisThrottle(connected.client, { limits: { other: { perMinute: 2 } } });
    await throttle.acquire(requestOf());
    server.cli("CLIENT", "PAUSE", "4500", "ALL");
    await expect(throttle.acquire(requestOf())).rejects.toMatchObject({ outcome: "not_sent" });
    await vi.waitFor(() => expect(server.cli("PING")).toBe("PONG"), 5_000);
    await vi.waitFor(() => throttle.acquire(requestOf({ remainingMs: () => 1_000 })), 5_000);
  });

  it("continues waiting calls in order after everything was flushed from the server", async () => {
    const line = lineOf("a", [{ windowMs: 3_000, max: 1 }]);
    await line.take(requestOf());
    const order: number[] = [];
    const waiting = [0, 1, 2].map((number) => line.take(requestOf()).then(() => order.push(number)));
    await new Promise((resolve) => setTimeout(resolve, 100));
    server.cli("FLUSHALL");
    await Promise.all(waiting);
    expect(order).toEqual([0, 1, 2]);
  });

  it("rejects waiting calls when Redis goes down", async () => {
    const throttle = redisThrottle(connected.client, { limits: { other: { perMinute: 1 } } });
    await throttle.acquire(requestOf());
    const waiting = [1, 2, 3].map(() => throttle.acquire(requestOf()).catch((error: unknown) => error));
    await new Promise((resolve) => setTimeout(resolve, 200));
    await server.stop();
    const startedAt = Date.now();
    for (const error of await Promise.all(waiting)) expect(error).toMatchObject({ outcome: "not_sent" });
    expect(Date.now() - startedAt).toBeLessThan(10_000);
  });

  it("keeps two processes that send 20 bots at 10 a minute, by the service's log", { timeout: 150_000 }, async () => {
    const service = createEmulator({ token: "accounts-token", now: Date.now });
    const listening = await service.listen({ port: 0 });
    const setting = JSON.stringify({ baseUrl: `${listening.url}`, count: 10 });
    for (const role of ["bots", "bots"]) workers.push(startWorker(role, server.url, setting));
    const startedAt = Date.now();
    await Promise.all(workers.map((worker) => worker.message("done")));
    const bots = service.requests.filter(({ method, path }) => method === "POST" && path.endsWith("/meetings/bot"));
    expect(bots.map(({ status }) => status)).not.toContain(429);
    expect(bots).toHaveLength(20);
    expect(
      mostWithin(
        bots.map(({ at }) => at),
        60_000,
      ),
    ).toBe(10);
    expect(Date.now() - startedAt).toBeLessThan(75_000);
    await listening.close();
  });
});

describe.runIf(hasRedis)("redisThrottle on a Cluster of three", () => {
  it("keeps the keys of one token together, and spreads different tokens", async () => {
    const cluster = await startCluster();
    for (const name of CLIENT_NAMES) {
      const own = await CLUSTER_CLIENTS[name](cluster.servers.map(({ url }) => url));
      const throttle = redisThrottle(own.client, { prefix: `${name}:` });
      await Promise.all(
        Array.from({ length: 12 }, async (_, index) => {
          await throttle.acquire(requestOf({ token: `token ${index}`, operation: "webhooks.create" }));
          await throttle.acquire(requestOf({ token: `token ${index}` }));
        }),
      );
      own.close();
    }
    for (const { cli } of cluster.servers) expect(Number(cli("DBSIZE"))).toBeGreaterThan(0);
    await cluster.close();
  });
});
