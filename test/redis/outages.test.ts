/** What happens while Redis is away, read-only, slow or restored from an older snapshot, and what works afterwards. */
import { Redis as Ioredis } from "ioredis";
import { redisEventLog, redisThrottle } from "notetaker-sdk/redis";
import { createRelay, subscribe } from "notetaker-sdk/webhooks";
import { describe, expect, it, vi } from "vitest";
import { eventOf } from "../webhooks/events.js";
import { redisOfEachTest } from "./support/redis-of-each-test.js";
import { hasRedis } from "./support/redis-server.js";
import { requestOf } from "./support/throttles.js";

describe.runIf(hasRedis)("a Redis that fails for a while", () => {
  const setup = redisOfEachTest();

  /** Each takes Redis away, and returns what brings it back. */
  const outages: Record<string, () => Promise<() => unknown>> = {
    "does not answer": async () => {
      setup.server.signal("SIGSTOP");
      return () => setup.server.signal("SIGCONT");
    },
    "is read-only": async () => {
      setup.server.cli("REPLICAOF", "127.0.0.1", "1");
      return () => setup.server.cli("REPLICAOF", "NO", "ONE");
    },
    "is killed, and restarted from a snapshot": async () => {
      setup.server.cli("SAVE");
      await setup.server.stop();
      return () => setup.server.start({ keepData: true });
    },
  };

  it.each(Object.keys(outages))("rejects calls, which are not counted: %s", async (outage) => {
    const throttle = redisThrottle(setup.client, { limits: { other: { perMinute: 2 } } });
    await Promise.all([throttle.acquire(requestOf()), throttle.acquire(requestOf())]);
    const end = await outages[outage]!();
    const upload = () => throttle.acquire(requestOf({ operation: "meetings.upload" })).catch((error: unknown) => error);
    for (const error of await Promise.all([upload(), upload()])) {
      expect(error).toMatchObject({ name: "ConnectionError", outcome: "not_sent" });
    }
    await end();
    // The next call waits for the two that were sent, and for nobody else, as soon as the client is connected again.
    await vi.waitFor(async () => {
      const abort = new AbortController();
      const wait = await new Promise<number | string>((resolve) => {
        const request = requestOf({ signal: abort.signal, onWait: resolve });
        throttle.acquire(request).catch((error: Error) => resolve(error.message));
      });
      abort.abort();
      expect(wait).toBeLessThan(60_000);
    }, 60_000);
  });

  it("tells a reader to resync after it was restored from a snapshot, although newer events were appended", async () => {
    const log = redisEventLog(setup.client);
    for (let number = 0; number < 3; number += 1) await log.append(eventOf(number), undefined);
    setup.server.cli("SAVE");
    let seen = "";
    for (let number = 3; number < 6; number += 1) seen = await log.append(eventOf(number), undefined);
    await setup.server.stop();
    await setup.server.start({ keepData: true });
    await vi.waitFor(async () => expect((await log.append(eventOf(6), undefined)).length).toBeGreaterThan(1), 60_000);
    for (let number = 7; number < 12; number += 1) await log.append(eventOf(number), undefined);
    expect(await log.after(seen, 10)).toBeUndefined();
    // The reader learns it over the wire, too.
    const relay = createRelay({ authorize: () => true, log, retryMs: 50, onError: () => {} });
    const abort = new AbortController();
    const events = subscribe("https://app.example.com/", {
      signal: abort.signal,
      lastEventId: seen,
      fetch: (url, init) => relay.handle(new Request(url, init)),
    });
    for await (const { kind } of events) {
      expect(kind).toBe("resync");
      break;
    }
    abort.abort();
  });

  it("appends an event once, although ioredis sends it again after a lost connection", async () => {
    const redis = new Ioredis(setup.server.url, { retryStrategy: () => 50 });
    redis.on("error", () => {});
    const log = redisEventLog(redis);
    const start = await log.latestId();
    await log.append(eventOf(0), undefined);
    const added = () => Number(/cmdstat_xadd:calls=(\d+)/.exec(setup.server.cli("INFO", "commandstats"))?.[1]);
    const before = added();
    // Redis runs the script, and the connection breaks before its answer arrives.
    const { stream } = redis as unknown as { stream: { pause(): void; destroy(): void } };
    stream.pause();
    const publishing = log.append(eventOf(1), undefined);
    await vi.waitFor(() => expect(added()).toBe(before + 1), 60_000);
    stream.destroy();
    const id = await publishing;
    const entries = await log.after(start, 10);
    expect(entries?.map(({ event }) => event.meetingId)).toEqual(["mtg_0", "mtg_1"]);
    expect(entries?.at(-1)?.id).toBe(id);
    redis.disconnect();
  });
});
