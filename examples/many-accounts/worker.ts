/** A worker, of which any number run: it does the jobs of all queues. */
import { setPriority } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { DelayedError, type Job, Worker } from "bullmq";
import { syncMeetings } from "notetaker-sdk";
import { redisThrottle } from "notetaker-sdk/redis";
import { createClient } from "redis";
import * as customers from "./customers.js";
import { log } from "./log.js";
import { clientLogger, eventToRow, jobs, listen, operations, tickSeconds } from "./metrics.js";
import { addOnce, CONCURRENCY, type CustomerJob, REDIS_URL, TICK_MS, ticks, workerOptions } from "./queue.js";
import { numberSetting, stop } from "./settings.js";

// A web process on the same host answers deliveries first: the service repeats one that was refused after up to a minute.
setPriority(5);

const METRICS_PORT = numberSetting("METRICS_PORT", 0, 65_535);
const redis = createClient({ url: REDIS_URL, socket: { reconnectStrategy: 500 } });
redis.on("error", (error) => log("error", `throttle: ${error.message}`));
await redis.connect();
await customers.makeTables().catch((error: Error) => stop(error.message));

/** One throttle for all tokens: it keeps the limits of each token over all workers. */
const clientOptions = { throttle: redisThrottle(redis), logger: clientLogger };
const stopping = new AbortController();

/** Resolves to when the job goes on, if it does. */
type Perform = (customer: customers.Customer, job: Job<CustomerJob>, signal: AbortSignal) => Promise<Date | undefined>;

/** For so long, an event waits for its turn in the limits of its account, which is no attempt. */
const PATIENCE_MS = 120_000;
/** A shorter wait for a service that fails is an attempt. */
const SHORT_WAIT_MS = 2_000;

const JOBS: Record<string, Perform> = {
  // What is not done after this, the queue tries again, and at last a tick finds it.
  async event({ notetaker, failing, error, failure }, { data: { customer, meetingId = "" }, timestamp }, signal) {
    if (failing) throw new Error(`the customer's list fails: ${error}`);
    const options = { only: [meetingId], budget: { ms: 10_000 }, pollMs: 1_000, signal };
    const { ended, missing, nextAt } = await syncMeetings(notetaker, { into: customers.storeOf(customer), ...options });
    const now = Date.now();
    const waitMs = nextAt.getTime() - now;
    const isTurn = failure() === undefined || waitMs > SHORT_WAIT_MS;
    if (ended === "paused" && isTurn && now - timestamp < PATIENCE_MS) return nextAt;
    const late = missing.find((one) => one.retryable && (one.what === "meeting" || one.reason === "failed"));
    if (late !== undefined || ended !== "done") {
      const cause = failure() ?? "the limits of the account are used up";
      throw new Error(late?.message ?? `the run ended as ${ended}: ${cause}`);
    }
    eventToRow.observe((now - timestamp) / 1_000);
  },

  async tick({ notetaker, due }, job, signal) {
    const { customer, now, sent = 0 } = job.data;
    if (!due && !now) return;
    const end = tickSeconds.startTimer();
    // A poll every second minute, and not after the third because of some milliseconds.
    const [into, budget] = [customers.storeOf(customer), { requests: 45 - sent, ms: 50_000 }];
    const options = { into, budget, pollMs: 1.75 * TICK_MS, signal };
    const { ended, nextAt, requests } = await syncMeetings(notetaker, options);
    end();
    const nextTick = job.timestamp + (job.opts.delay ?? 0) + TICK_MS;
    // A pause that ends before the next tick is waited for, but not in this slot.
    if (ended === "paused" && Date.now() < nextAt.getTime() && nextAt.getTime() < nextTick && sent + requests < 40) {
      await job.updateData({ ...job.data, sent: sent + requests });
      return nextAt;
    }
    // What the service has refused for the moment is read by a later tick.
    const hasRead = `UPDATE customers SET read_at = now() WHERE id = $1 AND read_at IS NULL AND NOT EXISTS (
      SELECT FROM notetaker_meetings WHERE account = $1 AND missing @> '[{"reason": "failed", "retryable": true}]')`;
    if (ended === "done") await customers.pool.query(hasRead, [customer]);
  },

  async join({ notetaker }, { data: { customer } }, signal) {
    await ticks.add("tick", { customer });
    const startDate = Date.now() + Math.random() * TICK_MS; // spreads the ticks over the minute
    await ticks.upsertJobScheduler(customer, { every: TICK_MS, startDate }, { name: "tick", data: { customer } });
    await customers.setWebhook(customer, notetaker, signal);
  },

  async leave({ notetaker: { webhooks } }, { data: { customer } }, signal) {
    await ticks.removeJobScheduler(customer);
    const own = customers.hookUrl(customer);
    try {
      for (const { id, url } of await webhooks.list({ signal })) if (url === own) await webhooks.delete(id);
    } catch (error) {
      if (!customers.isRefusal(error)) throw error; // the customer has revoked the token: the webhook is theirs to delete
    }
    // The account first, as in the store's own writes: so neither waits for the other.
    await customers.pool.query("DELETE FROM notetaker_accounts WHERE account = $1", [customer]);
    await customers.pool.query("DELETE FROM customers WHERE id = $1", [customer]);
  },
};

/** `lost` aborts when another worker has taken the job over, because this one or Redis was too slow. */
async function perform(job: Job<CustomerJob>, lock?: string, lost?: AbortSignal): Promise<void> {
  const { customer } = job.data;
  const opened = await customers.openCustomer(customer, clientOptions);
  if (opened === undefined || opened.leaving !== (job.name === "leave")) return;
  let goesOnAt: Date | undefined;
  try {
    const signal = AbortSignal.any(lost ? [stopping.signal, lost] : [stopping.signal]);
    goesOnAt = await JOBS[job.name]?.(opened, job, signal);
  } catch (error) {
    if (lost?.aborted) throw error;
    if (customers.isRefusal(error)) {
      await ticks.removeJobScheduler(customer);
      // Nothing happens for the customer until there is a new token, unless it was replaced meanwhile.
      const refuse = "UPDATE customers SET refused = $3 WHERE id = $1 AND token = $2";
      return void (await customers.pool.query(refuse, [customer, opened.token, (error as Error).message]));
    }
    if (!stopping.signal.aborted) {
      // A write for a customer who has left is refused.
      if ((await customers.openCustomer(customer)) === undefined) return;
      throw error;
    }
    goesOnAt = new Date();
  }
  if (goesOnAt === undefined) return;
  await job.moveToDelayed(goesOnAt.getTime(), lock); // which is no attempt
  throw new DelayedError();
}

/** Also kept in the database, so that somebody can see what was given up. The next poll finds the meeting. */
async function onFailed(job: Job<CustomerJob> | undefined, error: Error): Promise<void> {
  if (job === undefined) return;
  const isGivenUp = job.attemptsMade >= (job.opts.attempts ?? 1) && job.name !== "tick";
  jobs.inc({ kind: job.name, outcome: isGivenUp ? "given_up" : "failed" });
  const { customer, meetingId: meeting } = job.data;
  log(isGivenUp ? "error" : "warn", `${isGivenUp ? "given up: " : ""}${error.message}`, {
    customer,
    job: job.name,
    meeting,
  });
  if (!isGivenUp) return;
  const values = [customer, job.name, meeting, error.message];
  const sql = "INSERT INTO given_up SELECT id, $2, $3, $4 FROM customers WHERE id = $1";
  await customers.pool.query(sql, values).catch((failure: Error) => log("error", `database: ${failure.message}`));
}

/** Gives customers back the jobs that Redis has lost, looks at webhooks, and forgets what was given up a week ago. */
async function repair(): Promise<void> {
  await customers.pool.query("DELETE FROM given_up WHERE at < now() - interval '7 days'");
  const due = `SELECT id, leaving, webhook_due FROM customer_states
    WHERE state IN ('late', 'waiting', 'leaving') OR webhook_due`;
  for (const { id, leaving, webhook_due } of (await customers.pool.query(due)).rows) {
    if (leaving) await addOnce("leave", id);
    else if (webhook_due || !(await ticks.getJobScheduler(id))) await addOnce("join", id);
  }
  await customers.useCurrentKey();
}

// Prometheus sees no increase in a series that begins at 1.
for (const kind of Object.keys(JOBS))
  for (const outcome of ["done", "failed", "given_up"]) jobs.inc({ kind, outcome }, 0);

const workers = Object.entries(CONCURRENCY).map(([queue, concurrency]) => {
  const worker = new Worker<CustomerJob>(queue, perform, { ...workerOptions, concurrency });
  worker.on("error", (error) => log("error", `worker: ${error.message}`));
  worker.on("failed", onFailed);
  worker.on("lockRenewalFailed", (ids) => {
    for (const id of ids) worker.cancelJob(id);
  });
  worker.on("completed", ({ name }) => jobs.inc({ kind: name, outcome: "done" }));
  return worker;
});

process.once("SIGTERM", async () => {
  setTimeout(() => process.exit(1), 9_000).unref();
  stopping.abort(); // ends each run between two writes
  await Promise.all(workers.map((worker) => worker.close()));
  process.exit(0);
});

if (METRICS_PORT) listen("metrics", operations, METRICS_PORT);
log("info", "worker: waiting for jobs");
while (!stopping.signal.aborted) {
  await repair().catch((error: Error) => log("error", `repair: ${error.message}`));
  await sleep(TICK_MS, undefined, stopping).catch(() => {});
}
