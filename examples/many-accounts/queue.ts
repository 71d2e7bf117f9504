/** The three queues: events, ticks, and customers who join or leave. */
import { type ConnectionOptions, type JobsOptions, Queue } from "bullmq";
import { log } from "./log.js";
import { numberSetting, stop } from "./settings.js";

export const REDIS_URL = process.env.REDIS_URL ?? "redis://127.0.0.1:6379";
/** Each account has a tick a minute: one minute of its rate limit. */
export const TICK_MS = numberSetting("TICK_MS", 60_000, 3_600_000) || stop("TICK_MS is 0");

/**
 * `meetingId` only of the job `event`. A tick with `now` reads, whether the customer is due or not; `sent` are the requests
 * that it has already sent.
 */
export type CustomerJob = { customer: string; meetingId?: string; now?: true; sent?: number };

/** A worker waits for Redis as long as it takes. */
const workerConnection = { url: REDIS_URL, maxRetriesPerRequest: null, retryStrategy: () => 500 };
/** Without Redis, adding a job fails at once, and does not wait in this process for longer than its delivery does. */
const connection: ConnectionOptions = { ...workerConnection, maxRetriesPerRequest: 1, enableOfflineQueue: false };

/**
 * Of a killed worker, another one takes a job over after at most `lockDuration` and `stalledInterval`; and if the worker
 * had just been told of a new job, another one looks after `drainDelay` (in seconds).
 */
const takeover = { lockDuration: 10_000, stalledInterval: 2_000, maxStalledCount: 100, drainDelay: 1 };
export const workerOptions = { ...takeover, connection: workerConnection };
/** How many jobs of each queue a worker does at once. A change holds a connection to Postgres while it calls the service. */
export const CONCURRENCY = { events: 40, ticks: 40, changes: 5 };
export type QueueName = keyof typeof CONCURRENCY;

const removed = { removeOnComplete: true, removeOnFail: true };
/** The queue keeps the id of a finished job for as long as the service may repeat its delivery. */
export const ONCE = { removeOnComplete: { age: 600 }, removeOnFail: { age: 600 } };
const backoff = { type: "exponential", delay: 1_000, jitter: 0.5 };

function openQueue(name: QueueName, defaultJobOptions: JobsOptions) {
  const queue = new Queue<CustomerJob>(name, { connection, defaultJobOptions });
  return queue.on("error", (error) => log("error", `queue: ${error.message}`));
}
/** After five attempts, an event is left to the ticks. */
export const events = openQueue("events", { ...removed, attempts: 5, backoff });
export const ticks = openQueue("ticks", removed);
export const changes = openQueue("changes", { ...removed, attempts: 10, backoff });

/** There is never more than one of these for a customer: a second one does nothing. */
export const addOnce = (name: "join" | "leave", customer: string) =>
  changes.add(name, { customer }, { jobId: `${name}-${customer}` });

/** How many jobs of each queue wait to be done, and for how many seconds the first of them has waited. */
export const waitingJobs = () =>
  Promise.all(
    [events, ticks, changes].map(async (queue) => {
      const count = await queue.getJobCountByTypes("wait", "prioritized");
      const [first] = await queue.getJobs(["wait", "prioritized"], 0, 0, true);
      // A job that is tried again has waited since its last attempt.
      const since = first && (first.processedOn ?? first.timestamp) + (first.delay ?? 0);
      const seconds = since === undefined ? 0 : (Date.now() - since) / 1_000;
      return { queue: queue.name, count, seconds };
    }),
  );
