/**
 * Kills a receiver with Redis many times. Each delivery must be handled once; a delivery in progress during a kill may
 * be handled again.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { startRedis } from "../../test/redis/support/redis-server.js";
import { meetingBody, nodeSign } from "../../test/webhooks/signed-delivery.js";
import { bundleProgram, type Finding } from "./program.js";

const SECRET = "whsec_worker";
/** How many deliveries are in progress at once, and how long a handler takes. */
const CONCURRENCY = 30;
const HANDLER_MS = "3";
/** A process is killed after at most this many deliveries, and then at most this many milliseconds. */
const MAX_DELIVERIES = 20;
const MAX_LIFE_MS = 20;
/** The claim of a killed process lasts 30 seconds. A delivery that gets no response for this long is lost. */
const LOST_AFTER_MS = 300_000;

export async function killReceiver(kills: number): Promise<Finding> {
  await using program = await bundleProgram("scripts/kill/programs/receiver.ts");
  const redis = await startRedis();
  let url = "";
  let isOver = false;
  let sent = 0;
  let confirmed = 0;
  /** The deliveries in progress, and how many kills happened during each. It may be handled once more for each of them. */
  const underWay = new Set<string>();
  const struck = new Map<string, number>();
  const differences: string[] = [];

  async function isAccepted(id: string): Promise<boolean> {
    const body = meetingBody({ id });
    const headers = { "X-Webhook-Signature": nodeSign(body, SECRET) };
    const response = await fetch(url, { method: "POST", body, headers }).catch(() => undefined);
    await response?.arrayBuffer().catch(() => {});
    return response?.status === 200;
  }
  async function deliver(): Promise<void> {
    while (!isOver) {
      sent += 1;
      const id = `mtg_${sent}`;
      const lostAt = Date.now() + LOST_AFTER_MS;
      underWay.add(id);
      while (!(await isAccepted(id))) {
        if (Date.now() > lostAt) return void differences.push(`${id} got no 200 in ${LOST_AFTER_MS / 1000} s`);
        await sleep(20);
      }
      underWay.delete(id);
      confirmed += 1;
    }
  }
  async function start() {
    const running = program.start([redis.url, HANDLER_MS]);
    url = await running.url();
    return running;
  }

  try {
    let receiver = await start();
    const delivering = Array.from({ length: CONCURRENCY }, deliver);
    for (let killed = 0; killed < kills; killed++) {
      const last = confirmed + Math.floor(Math.random() * MAX_DELIVERIES);
      while (confirmed < last && differences.length === 0) await sleep(1);
      await sleep(Math.random() * MAX_LIFE_MS);
      for (const id of underWay) struck.set(id, (struck.get(id) ?? 0) + 1);
      receiver.kill();
      await receiver.wasKilled();
      receiver = await start();
    }
    isOver = true;
    await Promise.all(delivering);
    receiver.kill();

    const handled = new Map<string, number>();
    for (const id of redis.cli("LRANGE", "handled", "0", "-1").split("\n")) handled.set(id, (handled.get(id) ?? 0) + 1);
    for (let number = 1; number <= sent; number++) {
      const times = handled.get(`mtg_${number}`) ?? 0;
      const allowed = 1 + (struck.get(`mtg_${number}`) ?? 0);
      if (times < 1 || times > allowed)
        differences.push(`mtg_${number} was handled ${times} times, not 1 to ${allowed}`);
    }
    const repeated = [...handled.values()].filter((times) => times > 1).length;
    const figures = `${kills} kills, ${confirmed} deliveries, ${struck.size} struck by a kill, ${repeated} of them handled again`;
    return { promise: "a killed receiver loses no delivery, and repeats none that it answered", differences, figures };
  } finally {
    isOver = true;
    await redis.close();
  }
}
