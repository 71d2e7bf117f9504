/**
 * Does work that takes longer than a delivery may take: `npx tsx examples/several-processes/queue.ts`.
 *
 * The library is not a queue. The handler adds a job to a queue (here BullMQ) and returns. The delivery key is the id
 * of the job, so that a delivery that arrives twice adds one job. The example needs redis-server on the PATH, or the
 * variable `REDIS_URL`.
 */
import { Queue, Worker } from "bullmq";
import { Notetaker } from "notetaker-sdk";
import { aMeeting, aTranscript, createEmulator } from "notetaker-sdk/testing";
import { createReceiver } from "notetaker-sdk/webhooks";
import { startRedis } from "./start-redis.js";

const SECRET = "whsec_of_the_example";

const redis = await startRedis();
const service = createEmulator({
  seed: {
    meetings: [aMeeting({ id: "mtg_1", transcript: aTranscript({ lines: [["Ines", "Good morning."]] }) })],
    webhooks: [{ url: "https://app.example.com/hooks", secret: SECRET }],
  },
});
const { baseUrl, token, fetch } = service;
const notetaker = new Notetaker({ baseUrl, token, fetch });
const connection = { url: redis.url };

const transcripts = new Queue<{ meetingId: string }>("transcripts", { connection });
const receiver = createReceiver({ secrets: SECRET });
receiver.on("meeting.transcript_ready", async ({ meetingId }, { deliveryKey }) => {
  await transcripts.add("save", { meetingId }, { jobId: deliveryKey, attempts: 5, removeOnComplete: { age: 300 } });
});

const worker = new Worker<{ meetingId: string }>(
  "transcripts",
  async ({ data }) => {
    const { segments } = await notetaker.meetings.getTranscript(data.meetingId);
    return segments.length;
  },
  { connection },
);
const done = new Promise<void>((resolve) => {
  worker.on("completed", (job, segments) => {
    console.log(`Saved the transcript of ${job.data.meetingId}: ${segments} segments.`);
    resolve();
  });
});

service.webhooks.deliverTo(receiver.handle);
service.webhooks.next({ duplicate: true });
await service.webhooks.send("meeting.transcript_ready", "mtg_1");
await done;

const { completed } = await transcripts.getJobCounts("completed");
console.log(`Jobs: ${completed}.`);
await worker.close();
await transcripts.close();
await redis.stop();
