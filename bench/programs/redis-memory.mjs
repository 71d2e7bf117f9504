/**
 * Prints the memory that Redis needs for shared data: `redis-memory.mjs [COUNT]`. It starts a Redis, fills it, and
 * reads `used_memory` before and after.
 */
import { redisDedupe, redisEventLog, redisThrottle } from "notetaker-sdk/redis";
import { startRedis } from "./redis-process.mjs";
import { requestOf } from "./throttle-request.mjs";

const count = Number(process.argv[2] ?? 1_000);
const LIMIT = 60;
const EVENT_BYTES = 221;

const { client, stop } = await startRedis();

const usedBytes = async () => Number(/used_memory:(\d+)/.exec(await client.info("memory"))[1]);

/** How many operations run at once. One after another, they would take minutes. */
const AT_ONCE = 50;

const each = async (many, work) => {
  let next = 0;
  const worker = async () => {
    while (next < many) await work(next++);
  };
  await Promise.all(Array.from({ length: Math.min(many, AT_ONCE) }, worker));
};

/** The bytes that each of `many` operations adds to an empty Redis that already has the scripts. */
async function bytesOf(many, work) {
  await work(-1);
  await client.flushAll();
  const before = await usedBytes();
  await each(many, work);
  return { bytes: ((await usedBytes()) - before) / many };
}

const throttle = redisThrottle(client);
const tokenWith = (calls) =>
  bytesOf(count, (index) => each(calls, () => throttle.acquire(requestOf(`token ${index}`))));

function eventOf(index) {
  const event = { kind: "meeting.transcript_ready", meetingId: `mtg_${index}`, payload: { title: "" } };
  event.payload.title = "x".repeat(EVENT_BYTES - JSON.stringify(event).length);
  return event;
}

const dedupe = redisDedupe(client);
const log = redisEventLog(client, { maxEvents: 10 * count });

const rows = {
  "a token with one call": await tokenWith(1),
  "a token with 60 calls": await tokenWith(LIMIT),
  "a delivery": await bytesOf(count, async (index) => {
    await dedupe.claim(`delivery ${index}`, "owner");
    await dedupe.complete(`delivery ${index}`, "owner");
  }),
  [`an event of ${EVENT_BYTES} bytes`]: await bytesOf(10 * count, (index) => log.append(eventOf(index), ["usr_1"])),
};
stop();
console.log(JSON.stringify(rows));
process.exit();
