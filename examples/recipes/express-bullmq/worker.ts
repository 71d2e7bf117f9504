import { Queue, Worker } from "bullmq";
import { Notetaker, syncMeetings } from "notetaker-sdk";
import { folderStore } from "notetaker-sdk/node";

const connection = { url: process.env.REDIS_URL ?? "redis://127.0.0.1:6379" };
const tickMs = Number(process.env.TICK_MS ?? 60_000);
const notetaker = new Notetaker();
// With workers on several machines: postgresStore(pool) of notetaker-sdk/sql.
const into = folderStore(process.env.FOLDER ?? "meetings");

// The same scheduler in each worker is one scheduler.
const queue = new Queue("meetings", { connection });
const opts = { removeOnComplete: true, removeOnFail: { age: 86_400 } };
await queue.upsertJobScheduler("tick", { every: tickMs }, { opts });
await queue.close();

const worker = new Worker<{ meetingId?: string }>(
  "meetings",
  async ({ data: { meetingId } }) => {
    await syncMeetings(notetaker, {
      into,
      only: meetingId === undefined ? undefined : [meetingId],
      budget: { requests: 45, ms: 50_000 },
      pollMs: tickMs,
      onChange: ({ id, changed }) =>
        console.log(`saved ${id}: ${changed.join(", ")}`),
    });
  },
  { connection, concurrency: 5 },
);
worker.on("ready", () => console.log("waiting for jobs"));
worker.on("failed", (job, error) =>
  console.error(`job ${job?.id} failed: ${error.message}`),
);

process.once("SIGTERM", () => worker.close());
