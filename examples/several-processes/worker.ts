/** One of several equal processes: it receives deliveries, relays events and calls the service. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Notetaker } from "notetaker-sdk";
import { redisDedupe, redisEventLog, redisThrottle } from "notetaker-sdk/redis";
import { createReceiver, createRelay, toNodeListener } from "notetaker-sdk/webhooks";
import { createClient } from "redis";

const [name = "worker"] = process.argv.slice(2);

const redis = createClient({ url: process.env.REDIS_URL ?? "redis://127.0.0.1:6379" });
redis.on("error", (error) => console.error(`${name}: Redis:`, error.message));
await redis.connect();

// All processes together keep the limits of the account.
const notetaker = new Notetaker({ throttle: redisThrottle(redis) });

// A published event reaches the readers of all processes.
const relay = createRelay({ authorize: () => true, log: redisEventLog(redis) });

// Only one of the processes handles a delivery.
const receiver = createReceiver({
  secrets: process.env.NOTETAKER_WEBHOOK_SECRET,
  dedupe: redisDedupe(redis),
});
receiver.on("meeting.transcript_ready", async (event, { signal }) => {
  const { segments } = await notetaker.meetings.getTranscript(event.meetingId, { signal });
  console.log(`${name} handled ${event.meetingId}: ${segments.length} segments`);
  await relay.publish(event);
});

const server = createServer(
  toNodeListener((request) =>
    new URL(request.url).pathname === "/events" ? relay.handle(request) : receiver.handle(request),
  ),
);
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` });

process.once("message", async () => {
  relay.close();
  server.closeAllConnections();
  server.close();
  await redis.close();
  process.disconnect?.();
});
