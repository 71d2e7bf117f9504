/** Deliveries to several processes: each is handled once, whatever happens to the processes and to Redis. */
import { redisDedupe } from "notetaker-sdk/redis";
import { describe, expect, it } from "vitest";
import { meetingBody, nodeSign } from "../webhooks/signed-delivery.js";
import { redisOfEachTest } from "./support/redis-of-each-test.js";
import { hasRedis } from "./support/redis-server.js";

const SECRET = "whsec_worker";

describe.runIf(hasRedis)("redisDedupe", () => {
  const setup = redisOfEachTest();

  const start = async (setting = "") => {
    const worker = setup.startWorker("receive", setting);
    return { worker, url: String((await worker.message("url")).url) };
  };
  const post = async (url: string, id: string) => {
    const body = meetingBody({ id });
    const headers = { "X-Webhook-Signature": nodeSign(body, SECRET) };
    const response = await fetch(url, { method: "POST", body, headers }).catch(() => undefined);
    await response?.arrayBuffer().catch(() => {});
    return response?.status;
  };
  const handled = () => setup.server.cli("LRANGE", "handled", "0", "-1").split("\n").filter(Boolean).sort();

  it("lets two processes handle each of 300 deliveries once, although each is sent three times to both", async () => {
    const [first, second] = await Promise.all([start("5"), start("5")]);
    const ids = Array.from({ length: 300 }, (_, index) => `mtg_${1_000 + index}`);
    const deliver = async (id: string, url: string) => {
      // After a 503 the service delivers again.
      while ((await post(url, id)) !== 200) await new Promise((resolve) => setTimeout(resolve, 20));
    };
    for (let from = 0; from < ids.length; from += 30) {
      const batch = ids.slice(from, from + 30);
      await Promise.all(
        batch.flatMap((id, index) => [
          deliver(id, first.url),
          deliver(id, second.url),
          deliver(id, index % 2 === 0 ? first.url : second.url),
        ]),
      );
    }
    expect(handled()).toEqual(ids);
  });

  it("lets another process handle a delivery when the claim of a killed process expires, with 503 as the response until then", async () => {
    const hanging = await start("hang");
    const other = await start();
    void post(hanging.url, "mtg_1");
    await hanging.worker.message("handling");
    // A process renews its claim while it lives, beyond the claim's duration.
    await new Promise((resolve) => setTimeout(resolve, 6_000));
    expect(await post(other.url, "mtg_1")).toBe(503);
    await hanging.worker.kill();
    const killedAt = Date.now();
    while ((await post(other.url, "mtg_1")) !== 200) {
      expect(Date.now() - killedAt).toBeLessThan(60_000);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(handled()).toEqual(["mtg_1"]);
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
