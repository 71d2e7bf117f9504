/** The limits of an account over several processes: exact, in order, and working even if a process dies. */

import { redisThrottle } from "notetaker-sdk/redis";
import { createEmulator } from "notetaker-sdk/testing";
import { describe, expect, it, vi } from "vitest";
import { CLIENTS } from "./support/clients.js";
import { redisOfEachTest } from "./support/redis-of-each-test.js";
import { hasRedis } from "./support/redis-server.js";
import { impatientRequest, mostWithin, requestOf, slotRecorder, TOKEN, throttleWith } from "./support/throttles.js";

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe.runIf(hasRedis)("redisThrottle", () => {
  const setup = redisOfEachTest();

  it("takes at most the allowed slots in any window for several processes, in the order of each", async () => {
    const windows = [
      { windowMs: 1_000, max: 5 },
      { windowMs: 3_000, max: 12 },
    ];
    const throttles = [1, 2, 3].map(() => throttleWith(setup.client, windows));
    const { record, times } = slotRecorder(setup.server);
    const orders: number[][] = [[], [], []];
    await Promise.all(
      Array.from({ length: 24 }, async (_, index) => {
        await throttles[index % 3]!.acquire(requestOf());
        orders[index % 3]!.push(index);
        record();
      }),
    );
    expect(times()).toHaveLength(24);
    // On a busy machine, the processes ask too late to use each slot at once.
    expect(mostWithin(times(), 1_000)).toBeLessThanOrEqual(5);
    expect(mostWithin(times(), 3_000)).toBeLessThanOrEqual(12);
    for (const order of orders) expect(order).toEqual([...order].sort((a, b) => a - b));
  });

  it("sends the call that has waited longest first, although another process asks at the same time", async () => {
    const windows = [{ windowMs: 3_000, max: 1 }];
    const [first, second] = [throttleWith(setup.client, windows), throttleWith(setup.client, windows)];
    await first.acquire(requestOf());
    const order: string[] = [];
    const waiting = [second.acquire(requestOf()).then(() => order.push("early"))];
    await pause(2_000);
    waiting.push(first.acquire(requestOf()).then(() => order.push("late")));
    await Promise.all(waiting);
    expect(order).toEqual(["early", "late"]);
  });

  it("takes no slot for a call that is cancelled or cannot be sent in time", async () => {
    const windows = [{ windowMs: 10_000, max: 1 }];
    const [first, second] = [throttleWith(setup.client, windows), throttleWith(setup.client, windows)];
    const { record, times } = slotRecorder(setup.server);
    await first.acquire(requestOf());
    record();
    const abort = new AbortController();
    const reason = new Error("the user left");
    const cancelled = first.acquire(requestOf({ signal: abort.signal }));
    const late = first.acquire(impatientRequest(500));
    await expect(late).rejects.toThrow("it would take too long");
    const next = second.acquire(requestOf());
    await pause(100);
    abort.abort(reason);
    await expect(cancelled).rejects.toBe(reason);
    await next;
    record();
    expect(times()).toHaveLength(2);
  });

  it("counts the slots of a process that dies as used, and no more", async () => {
    const windows = [{ windowMs: 1_000, max: 1 }];
    const dying = await CLIENTS["ioredis 6"](setup.server.url);
    const dead = throttleWith(dying.client, windows);
    await dead.acquire(requestOf());
    for (let index = 0; index < 20; index += 1) dead.acquire(requestOf()).catch(() => {});
    await pause(200);
    dying.close();
    const waits: number[] = [];
    await throttleWith(setup.client, windows).acquire(requestOf({ onWait: (waitMs) => waits.push(waitMs) }));
    expect(waits[0] ?? 0).toBeLessThan(2_000);
  });

  it("asks Redis short questions of a few commands, and keeps only slots there, whatever waits", async () => {
    const throttle = redisThrottle(setup.client);
    const abort = new AbortController();
    const request = requestOf({ signal: abort.signal });
    const waiting = Array.from({ length: 30_000 }, () => throttle.acquire(request).catch(() => {}));
    const sum = (pattern: RegExp) => {
      const counts = setup.server.cli("INFO", "all").matchAll(pattern);
      return [...counts].reduce((total, [, count]) => total + Number(count), 0);
    };
    const questions = () => sum(/cmdstat_eval:calls=(\d+)/g);
    await vi.waitFor(() => expect(questions()).toBeGreaterThan(0), 60_000);
    setup.server.cli("CONFIG", "RESETSTAT");
    for (let index = 0; index < 20; index += 1) {
      const other = redisThrottle(setup.client);
      waiting.push(other.acquire(request).catch(() => {}));
    }
    await vi.waitFor(() => expect(questions()).toBeGreaterThanOrEqual(20), 60_000);
    expect(sum(/cmdstat_\w+:calls=(\d+)/g) / questions()).toBeLessThan(20);
    expect(sum(/total_net_input_bytes:(\d+)/g) / questions()).toBeLessThan(10_000);
    const keys = setup.server.cli("KEYS", "*:slots").split("\n");
    for (const key of keys) expect(Number(setup.server.cli("ZCARD", key))).toBeLessThan(200);
    abort.abort();
    await Promise.all(waiting);
  });

  it("pauses all processes if the service reports a used-up limit", async () => {
    const [first, second] = [redisThrottle(setup.client), redisThrottle(setup.client)];
    await first.acquire(requestOf());
    const startedAt = performance.now();
    await first.pause({ operation: "rooms.list", token: TOKEN, limit: 60, pauseMs: 800 });
    await second.acquire(requestOf());
    expect(performance.now() - startedAt).toBeGreaterThan(790);
    await first.pause({ operation: "rooms.list", token: TOKEN, limit: 60, pauseMs: 3_600_000 });
    await expect(second.acquire(impatientRequest(3_000_000))).rejects.toThrow("too long");
    // Another limit, and another account, are not paused.
    const onWait = vi.fn();
    await second.acquire(requestOf({ operation: "meetings.upload", onWait }));
    await second.acquire(requestOf({ token: "another", onWait }));
    expect(onWait).not.toHaveBeenCalled();
  });

  it("takes a place in each of two limits at the time when the call is sent", async () => {
    const throttle = redisThrottle(setup.client, {
      limits: { createWebhook: { perMinute: 2 }, other: { perMinute: 3 } },
    });
    const soon = (operation: string) => impatientRequest(1_000, { operation });
    await throttle.acquire(soon("webhooks.create"));
    await throttle.acquire(soon("webhooks.create"));
    await expect(throttle.acquire(soon("webhooks.create"))).rejects.toThrow("too long");
    await throttle.acquire(soon("rooms.list"));
    await expect(throttle.acquire(soon("rooms.list"))).rejects.toThrow("too long");
  });

  it('sends calls while Redis is down if onError is "open", and reports the outage once', async () => {
    const reported: unknown[] = [];
    const throttle = redisThrottle(setup.client, {
      onError: "open",
      onUnavailable: (error) => reported.push(error),
    });
    await setup.server.stop();
    const startedAt = Date.now();
    await Promise.all(["rooms.list", "webhooks.create"].map((operation) => throttle.acquire(requestOf({ operation }))));
    for (let index = 0; index < 20; index += 1) await throttle.acquire(requestOf());
    expect(Date.now() - startedAt).toBeLessThan(60_000);
    expect(reported).toHaveLength(1);
  });

  it("frees a slot that Redis grants after the time limit of its call", async () => {
    const throttle = redisThrottle(setup.client, { limits: { other: { perMinute: 2 } } });
    await throttle.acquire(requestOf());
    setup.server.signal("SIGSTOP");
    await expect(throttle.acquire(requestOf())).rejects.toMatchObject({ outcome: "not_sent" });
    setup.server.signal("SIGCONT");
    await vi.waitFor(() => throttle.acquire(impatientRequest(1_000)), 60_000);
  });

  it("continues waiting calls in order after everything was flushed from the server", async () => {
    const throttle = throttleWith(setup.client, [{ windowMs: 3_000, max: 1 }]);
    await throttle.acquire(requestOf());
    const order: number[] = [];
    const waiting = [0, 1, 2].map((number) => throttle.acquire(requestOf()).then(() => order.push(number)));
    await pause(100);
    setup.server.cli("FLUSHALL");
    await Promise.all(waiting);
    expect(order).toEqual([0, 1, 2]);
  });

  it("keeps the bots of two real processes within their limit", async () => {
    const service = createEmulator({ token: "accounts-token", limits: "none" });
    const listening = await service.listen({ port: 0 });
    const setting = JSON.stringify({ baseUrl: `${listening.url}`, count: 8, windowMs: 1_500, max: 4 });
    const workers = [1, 2].map(() => setup.startWorker("bots", setting));
    const { record, times } = slotRecorder(setup.server);
    const recording = setInterval(record, 200);
    await Promise.all(workers.map((worker) => worker.message("done")));
    clearInterval(recording);
    record();
    expect(service.requests.filter(({ path }) => path.endsWith("/meetings/bot"))).toHaveLength(16);
    expect(mostWithin(times(), 1_500)).toBeLessThanOrEqual(4);
    await listening.close();
  });
});
