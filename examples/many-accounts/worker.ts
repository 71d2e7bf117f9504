/** A worker, of which any number run: it does the jobs of all queues. */
import { setTimeout as sleep } from "node:timers/promises";
import { DelayedError, type Job, Worker } from "bullmq";
import { ForbiddenError, syncMeetings, UnauthorizedError } from "notetaker-sdk";
import { redisThrottle } from "notetaker-sdk/redis";
import { createClient } from "redis";
import * as customers from "./customers.js";
import { addOnce, CONCURRENCY, type CustomerJob, REDIS_URL, TICK_MS, ticks, workerOptions } from "./queue.js";

const redis = createClient({ url: REDIS_URL, socket: { reconnectStrategy: 500 } });
redis.on("error", (error) => console.error(`throttle: ${error.message}`));
await redis.connect();
await customers.makeTables();

/** One for all tokens: it keeps the limits of each token over all workers. */
const throttle = redisThrottle(redis);
const stopping = new AbortController();
const { signal } = stopping;

/** Resolves to `true` if the job is not finished, and goes on later. */
type Perform = (customer: customers.Customer, data: CustomerJob) => Promise<unknown>;

const JOBS: Record<string, Perform> = {
  async event({ notetaker }, { customer, meetingId = "" }) {
    const options = { only: [meetingId], budget: { ms: 10_000 }, signal };
    const { ended, missing } = await syncMeetings(notetaker, { into: customers.storeOf(customer), ...options });
    if (ended === "paused") return true;
    // The queue tries again; the ticks would find it as well, but not before the lease of a killed worker has ended.
    const late = missing.find(({ what, retryable }) => what === "meeting" && retryable);
    if (late !== undefined) throw new Error(late.message);
    return false;
  },

  async tick({ notetaker, due }, { customer }) {
    const options = { budget: { requests: 45, ms: 50_000 }, pollMs: 2 * TICK_MS, signal };
    if (due) await syncMeetings(notetaker, { into: customers.storeOf(customer), ...options });
  },

  async join({ notetaker }, { customer }) {
    await customers.ensureWebhook(customer, notetaker, signal);
    await ticks.add("tick", { customer });
    const startDate = Date.now() + Math.random() * TICK_MS; // spreads the ticks over the minute
    await ticks.upsertJobScheduler(customer, { every: TICK_MS, startDate }, { name: "tick", data: { customer } });
  },

  async leave({ notetaker: { webhooks } }, { customer }) {
    await ticks.removeJobScheduler(customer);
    const own = customers.hookUrl(customer);
    try {
      for (const { id, url } of await webhooks.list({ signal })) if (url === own) await webhooks.delete(id);
    } catch (error) {
      if (!isRefusal(error)) throw error; // the customer has revoked the token: the webhook is theirs to delete
    }
    await customers.deleteRows(customer);
  },
};

const isRefusal = (error: unknown) => error instanceof UnauthorizedError || error instanceof ForbiddenError;

async function perform(job: Job<CustomerJob>, lock?: string): Promise<void> {
  const { customer } = job.data;
  const opened = await customers.openCustomer(customer, throttle);
  if (opened === undefined || opened.leaving !== (job.name === "leave")) return;
  let isUnfinished = false;
  try {
    isUnfinished = (await JOBS[job.name]?.(opened, job.data)) === true;
  } catch (error) {
    if (isRefusal(error)) return park(customer, opened, error as Error);
    // A write for a customer who has left is refused.
    if ((await customers.openCustomer(customer, throttle)) === undefined) return;
    if (!signal.aborted) throw error;
    isUnfinished = true;
  }
  if (!isUnfinished) return;
  await job.moveToDelayed(Date.now() + (signal.aborted ? 0 : 5_000), lock);
  throw new DelayedError();
}

/** Nothing happens for the customer until there is a new token. What comes meanwhile is in the list of meetings. */
async function park(customer: string, { token }: customers.Customer, { message }: Error): Promise<void> {
  if (!(await customers.park(customer, token, message))) return;
  await ticks.removeJobScheduler(customer);
  const body = `customer ${customer} is parked: ${message}`;
  console.error(body);
  const { ALERT_URL } = process.env;
  if (ALERT_URL) await fetch(ALERT_URL, { method: "POST", body, signal: AbortSignal.timeout(5_000) });
}

/** Gives customers back the jobs that Redis has lost. */
async function repair(): Promise<void> {
  const { rows } = await customers.pool.query(
    "SELECT id, leaving, has_webhook FROM customer_states WHERE late OR leaving",
  );
  for (const { id, leaving, has_webhook } of rows) {
    if (leaving) await addOnce("leave", id);
    else if (!has_webhook || !(await ticks.getJobScheduler(id))) await addOnce("join", id);
  }
}

const workers = Object.entries(CONCURRENCY).map(([queue, concurrency]) => {
  const worker = new Worker<CustomerJob>(queue, perform, { ...workerOptions, concurrency });
  worker.on("error", (error) => console.error(`worker: ${error.message}`));
  worker.on("failed", (job, error) => console.error(`${job?.name} of ${job?.data.customer}: ${error.message}`));
  return worker;
});

process.once("SIGTERM", async () => {
  setTimeout(() => process.exit(1), 9_000).unref();
  stopping.abort(); // ends each run between two writes
  await Promise.all(workers.map((worker) => worker.close()));
  process.exit(0);
});

console.log("worker: waiting for jobs");
while (!signal.aborted) {
  await repair().catch((error: Error) => console.error(`repair: ${error.message}`));
  await sleep(TICK_MS, undefined, { signal }).catch(() => {});
}
