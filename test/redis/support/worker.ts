/** One process of an application with several processes. The parent controls it, and may kill it at any time. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Redis from "ioredis";
import { Notetaker } from "notetaker-sdk";
import { redisDedupe, redisEventLog } from "notetaker-sdk/redis";
import { createReceiver, createRelay, toNodeListener } from "notetaker-sdk/webhooks";
import { createClient } from "redis";
import type { LimitWindow } from "../../../src/throttle/throttle-options.js";
import { throttleWith } from "./throttles.js";

const [role = "", redisUrl = "", setting = ""] = process.argv.slice(2);
const tell = (message: unknown) => process.send?.(message as object);

async function listen(handle: (request: Request) => Promise<Response>): Promise<void> {
  const server = createServer(toNodeListener(handle));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  tell({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` });
}

/**
 * Receives deliveries. Each handled delivery is noted in Redis under the id of its meeting; handling takes a moment.
 */
async function receive(): Promise<void> {
  const redis = new Redis(redisUrl);
  redis.on("error", () => {});
  const receiver = createReceiver({
    secrets: "whsec_worker",
    // The claims of a process that is killed expire soon. Others must not expire while the machine is busy.
    dedupe: redisDedupe(redis, { claimMs: setting === "hang" ? 5_000 : 30_000 }),
    onError: () => {},
  });
  receiver.onUnhandled(async ({ meetingId }) => {
    if (setting === "hang") {
      tell({ handling: meetingId });
      await new Promise((resolve) => setTimeout(resolve, 60_000));
    }
    await new Promise((resolve) => setTimeout(resolve, Number(setting) || 0));
    await redis.rpush("handled", String(meetingId));
  });
  await listen((request) => receiver.handle(request));
}

/** Publishes the events that are posted to it, and serves readers. */
async function relayEvents(): Promise<void> {
  const redis = await createClient({ url: redisUrl })
    .on("error", () => {})
    .connect();
  const relay = createRelay({
    authorize: () => true,
    log: redisEventLog(redis, { maxEvents: 2_000 }),
    retryMs: 50,
    onError: () => {},
  });
  await listen(async (request) => {
    if (request.method === "GET") return relay.handle(request);
    const { searchParams } = new URL(request.url);
    for (let number = Number(searchParams.get("from")); number < Number(searchParams.get("to")); number += 1) {
      await relay.publish({ kind: "meeting.transcript_ready", meetingId: `mtg_${number}`, payload: { number } });
    }
    return new Response();
  });
}

/** Sends bots, at most `max` in any window of `windowMs`. */
async function sendBots(): Promise<void> {
  const redis = await createClient({ url: redisUrl })
    .on("error", () => {})
    .connect();
  const { baseUrl, count, ...window } = JSON.parse(setting) as { baseUrl: string; count: number } & LimitWindow;
  const notetaker = new Notetaker({
    baseUrl,
    token: "accounts-token",
    throttle: throttleWith(redis, [window]),
    maxRetries: 0,
  });
  await Promise.all(
    Array.from({ length: count }, (_, index) =>
      notetaker.meetings.sendBot({ meeting_url: `https://zoom.us/j/${process.pid}${index}` }),
    ),
  );
  tell({ done: true });
}

const roles: Record<string, () => Promise<void>> = { receive, relay: relayEvents, bots: sendBots };
await roles[role]?.();
