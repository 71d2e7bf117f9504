/**
 * Kills a relay with Redis many times. The reader of a log that keeps all events must receive each published event once
 * and in order. The reader of a log that keeps five events falls behind: it must get a resync each time that it missed
 * events.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { startRedis } from "../../test/redis/support/redis-server.js";
import type { Finding } from "./finding.js";
import { bundleProgram } from "./program.js";
import { RelayReader } from "./relay-reader.js";

/** A process is killed after at most this many events, and then at most this many milliseconds. */
const MAX_EVENTS = 20;
const MAX_LIFE_MS = 20;
/** The longest pause between two events. */
const MAX_PAUSE_MS = 5;
/** If a reader receives nothing for this long, the missing events count as lost. */
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
  const start = () => program.start([redis.url]);
  let process = start();
  let url = String(await process.message("url"));
  const reader = new RelayReader(() => url);
  const lateReader = new RelayReader(() => `${url}/short`);
  let isOver = false;
  /** The events that were surely published. Others were being published during a kill, and may be in the log or not. */
  const published = new Set<number>();
  let sent = 0;
  const differences: string[] = [];

  async function publishOne(): Promise<void> {
    const number = sent++;
    const response = await fetch(`${url}?number=${number}`, { method: "POST" }).catch(() => undefined);
    if (response?.ok) published.add(number);
  }
  async function publish(): Promise<void> {
    while (!isOver) {
      await publishOne();
      await sleep(Math.random() * MAX_PAUSE_MS);
    }
  }
  /** Kills the process and starts another. Three of four kills wait until the reader has reconnected. */
  async function killOnce(kill: number): Promise<void> {
    const first = sent;
    const last = published.size + Math.floor(Math.random() * MAX_EVENTS);
    await becomes(() => published.size >= last);
    if (kill % 4 !== 0) await becomes(() => reader.last >= first);
    await sleep(Math.random() * MAX_LIFE_MS);
    process.kill();
    await process.wasKilled();
    process = start();
    url = String(await process.message("url"));
  }
  /** Publishes until both readers have received all events that were published before. */
  async function catchUp(): Promise<void> {
    const first = sent;
    const publishing = publish();
    for (const [name, one] of Object.entries({ reader, "late reader": lateReader })) {
      if (!(await becomes(() => one.last >= first))) differences.push(`the ${name} received nothing more`);
    }
    isOver = true;
    await publishing;
    const [end = -1] = [...published].slice(-1);
    await becomes(() => reader.last >= end && lateReader.last >= end);
  }

  try {
    if (!(await becomes(() => reader.hasPlace && lateReader.hasPlace))) differences.push("a reader got no place");
    const publishing = publish();
    for (let kill = 0; kill < kills; kill++) await killOnce(kill);
    isOver = true;
    await publishing;
    isOver = false;
    await catchUp();
    process.kill();
    await process.wasKilled();

    if (reader.resyncs > 0) differences.push(`the reader had to resync ${reader.resyncs} times`);
    if (lateReader.resyncs === 0) differences.push("the late reader was never behind: that it is told was not tried");
    differences.push(...reader.differences("reader", published), ...lateReader.differences("late reader", published));
    const figures =
      `${kills} kills, ${published.size} events confirmed, ${reader.received} received over ${reader.connections} ` +
      `connections; a reader that fell behind received ${lateReader.received} and was told ${lateReader.resyncs} times`;
    return { promise: "a killed relay loses no event unless it says so, and gives none twice", differences, figures };
  } finally {
    isOver = true;
    process.kill();
    await Promise.all([reader.stop(), lateReader.stop()]);
    await redis.close();
  }
}
