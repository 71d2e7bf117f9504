/** A relay with Redis that is killed: its reader receives each event that was published, once and in order. */
import { setTimeout as sleep } from "node:timers/promises";
import { subscribe } from "notetaker-sdk/webhooks";
import { startRedis } from "../../test/redis/support/redis-server.js";
import type { Finding } from "./finding.js";
import { bundleProgram } from "./program.js";

/** A process publishes up to so many events, and then for so many milliseconds. */
const MAX_EVENTS = 20;
const MAX_LIFE_MS = 20;
/** If the reader receives nothing more in this time, what it has not received is lost. */
const LOST_AFTER_MS = 60_000;

/** How far the reader may be behind when the relay is killed: well below what the relay keeps. */
const MAX_BEHIND = 100;

export async function killRelay(kills: number): Promise<Finding> {
  await using program = await bundleProgram("test/redis/support/worker.ts");
  const redis = await startRedis();
  const reader = new AbortController();
  let url = "";
  let isOver = false;
  let connections = 0;
  let resyncs = 0;
  let isReading = () => false;
  /** Published for certain; the others were under way at a kill, and may be there or not. */
  const published = new Set<number>();
  const received: number[] = [];
  let sent = 0;
  const missing = () => {
    const there = new Set(received);
    return [...published].filter((number) => !there.has(number));
  };

  async function publish(): Promise<void> {
    while (!isOver) {
      // A reader whose connections end at once waits ever longer for the next; the relay keeps so many events for it.
      while (missing().length > MAX_BEHIND && !isOver) await sleep(20);
      const number = sent++;
      const address = `${url}?from=${number}&to=${number + 1}`;
      const response = await fetch(address, { method: "POST" }).catch(() => undefined);
      if (response?.ok) published.add(number);
      else await sleep(10);
    }
  }
  async function read(): Promise<void> {
    const events = subscribe("http://127.0.0.1/", {
      signal: reader.signal,
      fetch: (_, init) => {
        connections += 1;
        return fetch(url, init);
      },
    });
    isReading = () => events.lastEventId !== undefined;
    for await (const { kind, payload } of events) {
      if (kind === "resync") resyncs += 1;
      else received.push(payload.number as number);
    }
  }

  try {
    let process = program.start(["relay", redis.url]);
    url = String(await process.message("url"));
    const reading = read().catch((error: unknown) => error);
    // What is published before the reader has its place is not for it.
    const firstBy = Date.now() + LOST_AFTER_MS;
    while (!isReading() && Date.now() < firstBy) await sleep(5);
    const publishing = publish();
    for (let killed = 0; killed < kills; killed++) {
      const last = published.size + Math.floor(Math.random() * MAX_EVENTS);
      const lateAt = Date.now() + LOST_AFTER_MS;
      while (published.size < last && Date.now() < lateAt) await sleep(1);
      await sleep(Math.random() * MAX_LIFE_MS);
      const behindBy = Date.now() + LOST_AFTER_MS;
      while (missing().length > MAX_BEHIND && Date.now() < behindBy) await sleep(20);
      process.kill();
      await process.wasKilled();
      process = program.start(["relay", redis.url]);
      url = String(await process.message("url"));
    }
    isOver = true;
    await publishing;
    let progress = { received: 0, at: Date.now() };
    while (missing().length > 0 && Date.now() - progress.at < LOST_AFTER_MS) {
      await sleep(50);
      if (received.length > progress.received) progress = { received: received.length, at: Date.now() };
    }
    reader.abort();
    await reading;
    process.kill();
    await process.wasKilled();

    const differences = resyncs > 0 ? [`the reader had to resync ${resyncs} times`] : [];
    differences.push(...missing().map((number) => `event ${number} was published and not received`));
    for (const [index, number] of received.entries()) {
      const before = received[index - 1] ?? -1;
      if (number <= before) differences.push(`event ${number} came after event ${before}`);
    }
    if (published.size === 0) differences.push("no event was published");
    const figures = `${kills} kills, ${published.size} events published, ${received.length} received over ${connections} connections`;
    return { promise: "a killed relay loses no event, and gives none twice", differences, figures };
  } finally {
    isOver = true;
    reader.abort();
    await redis.close();
  }
}
