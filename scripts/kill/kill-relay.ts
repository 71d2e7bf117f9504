/** Kills a relay with Redis many times. Its reader must receive each published event once and in order. */
import { setTimeout as sleep } from "node:timers/promises";
import { subscribe } from "notetaker-sdk/webhooks";
import { startRedis } from "../../test/redis/support/redis-server.js";
import { bundleProgram, type Finding } from "./program.js";

/** A process is killed after at most this many events, and then at most this many milliseconds. */
const MAX_EVENTS = 20;
const MAX_LIFE_MS = 20;
const MAX_PAUSE_MS = 5;
/** If the reader receives nothing for this long, the missing events count as lost. */
const LOST_AFTER_MS = 60_000;

/** Waits until `isTrue` returns `true`. Resolves to `false` if that takes too long. */
async function becomes(isTrue: () => boolean): Promise<boolean> {
  const lateAt = Date.now() + LOST_AFTER_MS;
  while (!isTrue() && Date.now() < lateAt) await sleep(2);
  return isTrue();
}

export async function killRelay(kills: number): Promise<Finding> {
  await using program = await bundleProgram("scripts/kill/programs/relay.ts");
  const redis = await startRedis();
  let url = "";
  async function start() {
    const running = program.start([redis.url]);
    url = await running.url();
    return running;
  }
  let relay = await start();
  let connections = 0;
  const controller = new AbortController();
  const events = subscribe("http://127.0.0.1/", {
    signal: controller.signal,
    fetch: (_, init) => {
      connections += 1;
      return fetch(url, init);
    },
  });
  /** What the reader received: the numbers of events, or another kind, such as `resync`. */
  const received: (number | string)[] = [];
  const reading = (async () => {
    for await (const { kind, payload } of events) received.push((payload.number as number | undefined) ?? kind);
  })().catch(() => {});
  /** The events that were surely published. Others were being published during a kill, and may be in the log or not. */
  const published: number[] = [];
  let sent = 0;
  let isOver = false;
  const differences: string[] = [];

  async function publish(): Promise<void> {
    while (!isOver) {
      const number = sent++;
      const response = await fetch(`${url}?number=${number}`, { method: "POST" }).catch(() => undefined);
      if (response?.ok) published.push(number);
      await sleep(Math.random() * MAX_PAUSE_MS);
    }
  }
  const hasReceived = (number: number) => Number(received.at(-1)) >= number;

  try {
    if (!(await becomes(() => events.lastEventId !== undefined))) differences.push("the reader got no place");
    const publishing = publish();
    for (let kill = 0; kill < kills; kill++) {
      const [first, last] = [sent, published.length + Math.floor(Math.random() * MAX_EVENTS)];
      await becomes(() => published.length >= last);
      // Three of four kills wait until the reader has reconnected.
      if (kill % 4 !== 0) await becomes(() => hasReceived(first));
      await sleep(Math.random() * MAX_LIFE_MS);
      relay.kill();
      await relay.wasKilled();
      relay = await start();
    }
    const first = sent;
    await becomes(() => hasReceived(first));
    isOver = true;
    await publishing;
    await becomes(() => hasReceived(published.at(-1) ?? 0));

    const found = new Set(received);
    differences.push(...published.filter((number) => !found.has(number)).map((number) => `event ${number} was lost`));
    differences.push(
      ...received.flatMap((entry, index) => {
        if (typeof entry === "string") return [`the reader was told of a ${entry}`];
        return index > 0 && entry <= Number(received[index - 1]) ? [`event ${entry} came twice or late`] : [];
      }),
    );
    const figures = `${kills} kills, ${published.length} events confirmed, ${received.length} received over ${connections} connections`;
    return { promise: "a killed relay loses no event, and gives none twice", differences, figures };
  } finally {
    isOver = true;
    relay.kill();
    controller.abort();
    await reading;
    await redis.close();
  }
}
