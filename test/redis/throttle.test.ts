/** The limits of an account over several processes: exact, in order, and working even if a process dies. */

import { redisThrottle } from "notetaker-sdk/redis";
import { describe, expect, it, vi } from "vitest";
import { redisOfEachTest } from "./support/redis-of-each-test.js";
import { hasRedis } from "./support/redis-server.js";
import { callRecorder, impatientRequest, mostWithin, requestOf, TOKEN, throttleWith } from "./support/throttles.js";

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe.runIf(hasRedis)("redisThrottle", () => {
  const setup = redisOfEachTest();

  it("sends at most the allowed calls in any window for several processes, in the order of each", async () => {
    const windows = [
      { windowMs: 1_000, max: 5 },
      { windowMs: 3_000, max: 12 },
    ];
    const throttles = [1, 2, 3].map(() => throttleWith(setup.client, windows));
    const { record, times } = callRecorder(setup.server);
    const orders: number[][] = [[], [], []];
    await Promise.all(
      Array.from({ length: 24 }, async (_, index) => {
        await throttles[index % 3]!.acquire(requestOf());
        orders[index % 3]!.push(index);
        record();
      }),
    );
    expect(times()).toHaveLength(24);
    // On a busy machine, the processes ask too late to send each call at once.
    expect(mostWithin(times(), 1_000)).toBeLessThanOrEqual(5);
    expect(mostWithin(times(), 3_000)).toBeLessThanOrEqual(12);
    for (const order of orders) expect(order).toEqual([...order].sort((a, b) => a - b));
  });

  it("counts no call that is cancelled or cannot be sent in time", async () => {
    const windows = [{ windowMs: 10_000, max: 1 }];
    const [first, second] = [throttleWith(setup.client, windows), throttleWith(setup.client, windows)];
    const { record, times } = callRecorder(setup.server);
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

  it("asks Redis short questions of a few commands, and keeps only the calls that were sent, whatever waits", async () => {
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
    const keys = setup.server.cli("KEYS", "*:calls").split("\n");
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

  it("counts a call anew that is sent long after Redis has counted it", async () => {
    const throttle = redisThrottle(setup.client);
    await throttle.acquire(requestOf());
    const { record, times } = callRecorder(setup.server);
    const acquiring = throttle.acquire(requestOf());
    setup.server.signal("SIGSTOP");
    await pause(500);
    setup.server.signal("SIGCONT");
    await acquiring;
    const [seconds, microseconds] = setup.server.cli("TIME").split("\n").map(Number);
    const sentAt = (seconds ?? 0) * 1_000 + (microseconds ?? 0) / 1_000;
    await vi.waitFor(() => {
      record();
      expect(times().at(-1)).toBeGreaterThan(sentAt - 50);
    }, 60_000);
    expect(times()).toHaveLength(2);
  });

  it("continues waiting calls in order after everything was flushed from the server", async () => {
    const throttle = throttleWith(setup.client, [{ windowMs: 1_000, max: 1 }]);
    await throttle.acquire(requestOf());
    const order: number[] = [];
    const waiting = [0, 1, 2].map((number) => throttle.acquire(requestOf()).then(() => order.push(number)));
    await pause(100);
    setup.server.cli("FLUSHALL");
    await Promise.all(waiting);
    expect(order).toEqual([0, 1, 2]);
  });
});
