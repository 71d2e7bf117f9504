/** What Prometheus reads of each process. `alert-rules.yml` and `grafana.json` use these names. */
import { createServer } from "node:http";
import { Counter, collectDefaultMetrics, Gauge, Histogram, register } from "prom-client";
import { pool } from "./customers.js";
import { events, ticks, waitingOf } from "./queue.js";

collectDefaultMetrics();
const SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

export const jobs = new Counter({
  name: "notetaker_jobs_total",
  help: "Finished jobs: done, paused, failed (the queue tries again) or given_up.",
  labelNames: ["job", "outcome"],
});
export const eventToRow = new Histogram({
  name: "notetaker_event_to_row_seconds",
  help: "From the receipt of an event to its row in the database.",
  buckets: SECONDS,
});
export const tickSeconds = new Histogram({
  name: "notetaker_tick_seconds",
  help: "How long a tick took.",
  buckets: SECONDS,
});
export const deliveries = new Counter({
  name: "notetaker_deliveries_total",
  help: "Deliveries of the service, by the status of the response.",
  labelNames: ["status"],
});

const gauge = (name: string, help: string, ...labelNames: string[]) =>
  new Gauge({ name, help, labelNames, registers: [] });
/** Of all customers together. Each process would report the same, so only the web process does. */
const ofAll = {
  customers: gauge("notetaker_customers", "Customers by their state.", "state"),
  oldest: gauge("notetaker_oldest_poll_seconds", "Since the last poll of the customer who waits longest."),
  alerts: gauge("notetaker_alerts_unsent", "Alerts that nobody has taken yet."),
  waiting: gauge("notetaker_jobs_waiting", "Jobs that wait.", "queue"),
  waited: gauge("notetaker_jobs_waiting_seconds", "How long the first of them has waited.", "queue"),
};

async function readCustomers(): Promise<void> {
  for (const queue of [events, ticks]) {
    const { count, seconds } = await waitingOf(queue);
    ofAll.waiting.set({ queue: queue.name }, count);
    ofAll.waited.set({ queue: queue.name }, seconds);
  }
  const states = await pool.query("SELECT state, count(*)::int AS count FROM customer_states GROUP BY state");
  ofAll.customers.reset();
  for (const { state, count } of states.rows) ofAll.customers.set({ state }, count);
  const { rows } = await pool.query(`SELECT
    coalesce(extract(epoch FROM now() - min(coalesce(polled_at, joined_at)) FILTER (WHERE refused IS NULL)), 0)::float
      AS oldest, (SELECT count(*)::int FROM alerts WHERE NOT sent) AS alerts FROM customer_states WHERE NOT leaving`);
  ofAll.oldest.set(rows[0].oldest);
  ofAll.alerts.set(rows[0].alerts);
}

/** The page of `/metrics` of a web process. */
export async function metricsPage(): Promise<Response> {
  for (const one of Object.values(ofAll)) register.registerMetric(one);
  await readCustomers();
  return new Response(await register.metrics(), { headers: { "content-type": register.contentType } });
}

/** Whether the database and Redis respond. */
export async function isReady(): Promise<boolean> {
  const checks = [pool.query("SELECT 1"), events.getJobCountByTypes("wait")];
  const late = new Promise<never>((_, reject) => setTimeout(reject, 2_000).unref());
  return Promise.race([Promise.all(checks), late]).then(
    () => true,
    () => false,
  );
}

/** `/metrics`, `/health` (the process runs) and `/ready` (it can work) of a process without another server. */
export function serveMetrics(port: number): void {
  const server = createServer(async ({ url }, response) => {
    if (url === "/metrics") {
      response.setHeader("content-type", register.contentType);
      response.end(await register.metrics());
      return;
    }
    response.statusCode = url === "/health" || (url === "/ready" && (await isReady())) ? 200 : 503;
    response.end();
  });
  server.listen(port, process.env.HOST ?? "127.0.0.1");
}
