/** The two queues: what is urgent, and the ticks. */
import { type ConnectionOptions, Queue } from "bullmq";

export const REDIS_URL = process.env.REDIS_URL ?? "redis://127.0.0.1:6379";
/** Each account has a tick a minute: one minute of its rate limit. */
export const TICK_MS = Number(process.env.TICK_MS ?? 60_000);

/** `meetingId` only of the job `event`. */
export type CustomerJob = { customer: string; meetingId?: string };

/** A worker waits for Redis as long as it takes. */
const workerConnection = { url: REDIS_URL, maxRetriesPerRequest: null, retryStrategy: () => 500 };
/** Without Redis, adding a job fails at once: then a delivery gets 503, and comes again. */
const connection: ConnectionOptions = { ...workerConnection, maxRetriesPerRequest: 1, enableOfflineQueue: false };

/** Of a killed worker, another one takes a job over after at most `lockDuration` and `stalledInterval`. */
const takeover = { lockDuration: 15_000, stalledInterval: 5_000, maxStalledCount: 100 };
export const workerOptions = { ...takeover, connection: workerConnection, concurrency: 40 };

const removed = { removeOnComplete: true, removeOnFail: true };
/** The queue keeps the id of a finished job for as long as the service may repeat its delivery. */
export const ONCE = { removeOnComplete: { age: 600 }, removeOnFail: { age: 600 } };
const backoff = { type: "exponential", delay: 1_000, jitter: 0.5 };

export const ticks = new Queue<CustomerJob>("ticks", { connection, defaultJobOptions: removed });
export const urgent = new Queue<CustomerJob>("urgent", {
  connection,
  defaultJobOptions: { ...removed, attempts: 10, backoff },
});
for (const queue of [urgent, ticks]) queue.on("error", (error) => console.error(`queue: ${error.message}`));

/** There is never more than one of these for a customer: a second one does nothing. */
export const addOnce = (name: "join" | "leave", customer: string) =>
  urgent.add(name, { customer }, { jobId: `${name}-${customer}` });
