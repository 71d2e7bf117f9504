/** Deliveries to several processes: each is handled once, whatever happens to the processes and to Redis. */
import { redisDedupe } from "notetaker-sdk/redis";
import { describe, expect, it } from "vitest";
import { delivery, meetingBody, recordingReceiver } from "../webhooks/signed-delivery.js";
import { redisOfEachTest } from "./support/redis-of-each-test.js";
import { hasRedis } from "./support/redis-server.js";

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe.runIf(hasRedis)("redisDedupe", () => {
  const setup = redisOfEachTest();

  it("lets two processes handle each of 100 deliveries once, although each is sent twice to both", async () => {
    const handled: unknown[] = [];
    const processes = [setup.client, (await setup.connect()).client].map((client) => {
      const { receiver, send } = recordingReceiver({ dedupe: redisDedupe(client) });
      receiver.onUnhandled(async ({ meetingId }) => {
        await sleep(5);
        handled.push(meetingId);
      });
      return send;
    });
    const ids = Array.from({ length: 100 }, (_, index) => `mtg_${100 + index}`);
    await Promise.all(
      [...ids, ...ids].flatMap((id) =>
        processes.map(async (send) => {
          // After a 503 the service delivers again.
          while ((await send(delivery(meetingBody({ id })))).startsWith("503")) await sleep(20);
        }),
      ),
    );
    expect(handled.sort()).toEqual(ids);
  });

  it("lets another process have the claim of a process that was killed, when it has expired", async () => {
    const { client, close } = await setup.connect();
    const [killed, other] = [redisDedupe(client, { claimMs: 3_000 }), redisDedupe(setup.client)];
    expect(await killed.claim("k", "killed")).toBe("claimed");
    expect(await other.claim("k", "other")).toBe("in_progress");
    // It cannot renew its claim any more.
    close();
    while ((await other.claim("k", "other")) !== "claimed") await sleep(100);
    await expect(killed.complete("k", "killed")).rejects.toThrow();
    await other.complete("k", "other");
    expect(await other.claim("k", "third")).toBe("done");
  });

  it("ignores the end of a claim that has already expired", async () => {
    const store = redisDedupe(setup.client);
    expect(await store.claim("k", "slow")).toBe("claimed");
    // This happens if a process was suspended for longer than its claim lasts.
    const [key = ""] = setup.server.cli("KEYS", "notetaker:dedupe:*").split("\n");
    setup.server.cli("DEL", key);
    expect(await store.claim("k", "other")).toBe("claimed");
    await store.complete("k", "slow");
    expect(await store.claim("k", "third")).toBe("in_progress");
    await store.release("k", "slow");
    expect(await store.claim("k", "third")).toBe("in_progress");
    await store.complete("k", "other");
    expect(await store.claim("k", "third")).toBe("done");
  });
});
