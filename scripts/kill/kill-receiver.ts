/** A receiver with Redis that is killed: each delivery is handled, and once, but for those that a kill struck. */
import { setTimeout as sleep } from "node:timers/promises";
import { startRedis } from "../../test/redis/support/redis-server.js";
import { meetingBody, nodeSign } from "../../test/webhooks/signed-delivery.js";
import type { Finding } from "./finding.js";
import { bundleProgram } from "./program.js";

const SECRET = "whsec_worker";
/** How many deliveries are under way at once, and how long a handler takes. */
const CONCURRENCY = 30;
const HANDLER_MS = "3";
/** A process receives up to so many deliveries, and then for so many milliseconds. */
const MAX_DELIVERIES = 20;
const MAX_LIFE_MS = 20;
/** A claim lasts two seconds. If nothing is answered in this time, without a kill, what is under way is lost. */
const LOST_AFTER_MS = 60_000;

export async function killReceiver(kills: number): Promise<Finding> {
  await using program = await bundleProgram("test/redis/support/worker.ts");
  const redis = await startRedis();
  let url = "";
  let isOver = false;
  let sent = 0;
  let confirmed = 0;
  /** When a delivery was last answered, or a process started that is to answer. Both may take their time. */
  let progressAt = Date.now();
  const isLost = () => Date.now() - progressAt > LOST_AFTER_MS;
  const underWay = new Set<string>();
  /** How many kills struck a delivery: so often may it be handled once more. */
  const struck = new Map<string, number>();
  const differences: string[] = [];

  async function post(id: string): Promise<boolean> {
    const body = meetingBody({ id });
    const headers = { "X-Webhook-Signature": nodeSign(body, SECRET) };
    const response = await fetch(url, { method: "POST", body, headers }).catch(() => undefined);
    await response?.arrayBuffer().catch(() => {});
    return response?.status === 200;
  }
  /** Delivers as the service does: until the response is 200. */
  async function deliver(): Promise<void> {
    while (!isOver) {
      sent += 1;
      const id = `mtg_${sent}`;
      underWay.add(id);
      while (!(await post(id))) {
        if (isLost()) return void differences.push(`${id} got no 200 in ${LOST_AFTER_MS / 1000} s without a kill`);
        await sleep(20);
      }
      underWay.delete(id);
      confirmed += 1;
      progressAt = Date.now();
    }
  }

  try {
    let process = program.start(["receive", redis.url, HANDLER_MS]);
    url = String(await process.message("url"));
    const delivering = Array.from({ length: CONCURRENCY }, deliver);
    for (let killed = 0; killed < kills; killed++) {
      const last = confirmed + Math.floor(Math.random() * MAX_DELIVERIES);
      while (confirmed < last && differences.length === 0) await sleep(1);
      await sleep(Math.random() * MAX_LIFE_MS);
      for (const id of underWay) struck.set(id, (struck.get(id) ?? 0) + 1);
      process.kill();
      await process.wasKilled();
      process = program.start(["receive", redis.url, HANDLER_MS]);
      url = String(await process.message("url"));
      progressAt = Date.now();
    }
    isOver = true;
    await Promise.all(delivering);
    process.kill();
    await process.wasKilled();

    const handled = new Map<string, number>();
    for (const id of redis.cli("LRANGE", "handled", "0", "-1").split("\n")) handled.set(id, (handled.get(id) ?? 0) + 1);
    for (let number = 1; number <= sent; number++) {
      const times = handled.get(`mtg_${number}`) ?? 0;
      if (times === 0) differences.push(`mtg_${number} was not handled`);
      const allowed = 1 + (struck.get(`mtg_${number}`) ?? 0);
      if (times > allowed)
        differences.push(`mtg_${number} was handled ${times} times, at most ${allowed} were expected`);
    }
    const repeated = [...handled.values()].filter((times) => times > 1).length;
    const figures = `${kills} kills, ${confirmed} deliveries, ${struck.size} struck by a kill, ${repeated} of them handled again`;
    return { promise: "a killed receiver loses no delivery, and repeats none that it answered", differences, figures };
  } finally {
    isOver = true;
    await redis.close();
  }
}
