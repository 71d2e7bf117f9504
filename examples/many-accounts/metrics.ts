/** What Prometheus reads of each process. `alert-rules.yml` and `grafana.json` use these names. */
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { timeout } from "hono/timeout";
import type { LogFunction } from "notetaker-sdk";
import { Counter, collectDefaultMetrics, Gauge, Histogram, register } from "prom-client";
import { pool } from "./customers.js";
import { log } from "./log.js";
import { events, waitingJobs } from "./queue.js";

collectDefaultMetrics();
const buckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];
const counter = (name: string, help: string, ...labelNames: string[]) => new Counter({ name, help, labelNames });
const gauge = (name: string, help: string, ...labelNames: string[]) => new Gauge({ name, help, labelNames });
const histogram = (name: string, help: string, ...labelNames: string[]) =>
  new Histogram({ name, help, buckets, labelNames });

const JOBS = "Finished jobs: done, failed (the queue tries again) or given_up.";
export const jobs = counter("notetaker_jobs_total", JOBS, "kind", "outcome");
export const deliveries = counter("notetaker_deliveries_total", "Deliveries, by the status of the response.", "status");
export const eventToRow = histogram("notetaker_event_to_row_seconds", "From an event to its row in the database.");
export const tickSeconds = histogram("notetaker_tick_seconds", "How long a tick took.");

const REQUESTS = "Requests to the service, by the status of the response, or failed without one.";
const requests = histogram("notetaker_request_seconds", REQUESTS, "operation", "status");
const throttled = histogram("notetaker_throttle_wait_seconds", "Waits for the rate limit of an account.");
/** Counts the requests of a client, and its waits. */
export const clientLogger: LogFunction = (_level, _message, { operation, status = "failed", durationMs, waitMs }) => {
  if (durationMs !== undefined) requests.observe({ operation, status }, durationMs / 1_000);
  if (waitMs !== undefined) throttled.observe(Number(waitMs) / 1_000);
};

// Of all customers together: each process reports the same.
const customers = gauge("notetaker_customers", "Customers by their state.", "state");
const unsent = gauge("notetaker_alerts_unsent", "Alerts that nobody has taken yet.");
const ready = gauge("notetaker_ready", "1 if the process has just reached Postgres and Redis.");
const waiting = gauge("notetaker_jobs_waiting", "Jobs that wait.", "queue");
const waited = gauge("notetaker_jobs_waiting_seconds", "How long the first of them has waited.", "queue");

async function readGauges(): Promise<void> {
  for (const { queue, count, seconds } of await waitingJobs()) {
    waiting.set({ queue }, count);
    waited.set({ queue }, seconds);
  }
  const states = await pool.query("SELECT state, count(*)::int FROM customer_states GROUP BY state");
  customers.reset();
  for (const { state, count } of states.rows) customers.set({ state }, count);
  const alerts = await pool.query("SELECT count(*)::int FROM notices");
  unsent.set(alerts.rows[0].count);
}

/** `/health`: the process runs. `/ready`: it reaches Postgres and Redis. Let only Prometheus reach `/metrics`. */
export const operations = new Hono();
operations.onError((_, c) => c.text("unavailable", 503));
operations.get("/health", (c) => c.text("ok"));
operations.get("/ready", timeout(2_000), async (c) => {
  await Promise.all([pool.query("SELECT 1"), events.getJobCountByTypes("wait")]);
  return c.text("ok");
});
operations.get("/metrics", async (c) => {
  // Without the database or Redis, the counters of the process are there, and the other gauges as they were.
  const problem = await readGauges().catch((error: Error) => error);
  if (problem) log("error", `gauges: ${problem.message}`);
  ready.set(problem ? 0 : 1);
  return c.body(await register.metrics(), 200, { "content-type": register.contentType });
});

export const listen = (name: string, { fetch }: Hono, port: number) =>
  serve({ fetch, port, hostname: process.env.HOST ?? "127.0.0.1" }, (address) =>
    log("info", `${name}: http://127.0.0.1:${address.port}`),
  );
