import { Worker } from "bullmq";
import { Notetaker, syncMeetings } from "notetaker-sdk";
import { folderStore } from "notetaker-sdk/node";
import {
  type CustomerJob,
  changes,
  events,
  TICK_MS,
  ticks,
  workerOptions,
} from "./queue.js";

const notetaker = new Notetaker();
// With workers on several machines: postgresStore(pool) of notetaker-sdk/sql.
const into = folderStore(process.env.FOLDER ?? "meetings");

// The same scheduler in each worker is one scheduler.
await ticks.waitUntilReady();
const data = { customer: "own" };
await ticks.upsertJobScheduler("own", { every: TICK_MS }, { data });
await Promise.all([events, ticks, changes].map((queue) => queue.close()));

const workers = ["events", "ticks"].map((queue) => {
  const worker = new Worker<CustomerJob>(queue, read, workerOptions);
  worker.on("error", (error) => console.error(error.message));
  worker.on("failed", (job, error) =>
    console.error(`job ${job?.id} failed: ${error.message}`),
  );
  return worker;
});
console.log("waiting for jobs");

// #region read
async function read({ data: { meetingId } }: { data: CustomerJob }) {
  await syncMeetings(notetaker, {
    into,
    only: meetingId === undefined ? undefined : [meetingId],
    budget: { requests: 45, ms: 50_000 },
    pollMs: TICK_MS,
    onChange: ({ id, changed }) =>
      console.log(`saved ${id}: ${changed.join(", ")}`),
  });
}
// #endregion

process.once("SIGTERM", () =>
  Promise.all(workers.map((worker) => worker.close())),
);
