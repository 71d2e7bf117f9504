/** Receives deliveries. Each handled delivery is noted in Redis under the id of its meeting; handling takes a moment. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import Redis from "ioredis";
import { redisDedupe } from "notetaker-sdk/redis";
import { createReceiver, toNodeListener } from "notetaker-sdk/webhooks";

const [redisUrl = "", handlerMs = ""] = process.argv.slice(2);
const redis = new Redis(redisUrl);
redis.on("error", () => {});
const receiver = createReceiver({
  secrets: "whsec_worker",
  // A claim must not expire while the machine is busy.
  dedupe: redisDedupe(redis, { claimMs: 30_000 }),
  onError: () => {},
});
receiver.onUnhandled(async ({ meetingId }) => {
  await sleep(Number(handlerMs));
  await redis.rpush("handled", String(meetingId));
});
const server = createServer(toNodeListener(receiver.handle));
server.listen(0, "127.0.0.1", () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` });
});
