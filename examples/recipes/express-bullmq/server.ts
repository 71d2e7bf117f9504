import { Queue } from "bullmq";
import express from "express";
import { EVENT_KINDS } from "notetaker-sdk";
import { createReceiver, toNodeListener } from "notetaker-sdk/webhooks";

const connection = { url: process.env.REDIS_URL ?? "redis://127.0.0.1:6379" };
const meetings = new Queue<{ meetingId: string }>("meetings", { connection });

const receiver = createReceiver({
  secrets: process.env.NOTETAKER_WEBHOOK_SECRET,
});
for (const kind of EVENT_KINDS) {
  receiver.on(kind, async ({ meetingId }, { deliveryKey }) => {
    await meetings.add(
      "event",
      { meetingId },
      {
        jobId: deliveryKey,
        attempts: 5,
        backoff: { type: "exponential", delay: 1_000 },
        // The service delivers again for at most two minutes.
        removeOnComplete: { age: 600 },
        removeOnFail: { age: 86_400 },
      },
    );
  });
}

const app = express();
// Before express.json(): the signature covers the bytes.
app.post("/hooks/notetaker", toNodeListener(receiver.handle));
app.use(express.json());

const server = app.listen(Number(process.env.PORT ?? 3000), "127.0.0.1", () => {
  console.log("listening on", server.address());
});

process.once("SIGTERM", async () => {
  server.close();
  await meetings.close();
});
