/** The web process, of which any number run: it receives events, customers join, change and leave, and it sends alerts. */
import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { Hono } from "hono";
import { bearerAuth } from "hono/bearer-auth";
import { HTTPException } from "hono/http-exception";
import { ConfigurationError, EVENT_KINDS, Notetaker } from "notetaker-sdk";
import { forgetMeetings } from "notetaker-sdk/sql";
import { createReceiver } from "notetaker-sdk/webhooks";
import { sendAlerts } from "./alerts.js";
import {
  isRefusal,
  makeTables,
  pool,
  replaceWebhook,
  saveCustomer,
  storeOf,
  webhookIsMissing,
  webhookSecrets,
} from "./customers.js";
import { log } from "./log.js";
import { deliveries, listen, operations } from "./metrics.js";
import { addOnce, events, ONCE, TICK_MS, ticks } from "./queue.js";
import { numberSetting, setting, stop } from "./settings.js";

const ADMIN_KEY = setting("ADMIN_KEY");
const PORT = numberSetting("PORT", 3_000, 65_535);
await makeTables().catch((error: Error) => stop(error.message));

/** The events of each customer in the last minute: the first event of one comes before the tenth of another. */
const bursts = new Map<string, number>();
/** Why deliveries of whom were refused in the last minute: each is one line of the log. */
const logged = new Set<string>();
setInterval(() => {
  bursts.clear();
  logged.clear();
}, 60_000).unref();

function logRefused(level: "warn" | "error", customer: string | undefined, message: string): void {
  const key = `${customer} ${message}`;
  if (!logged.has(key)) log(level, message, { customer });
  logged.add(key);
}

/** If Postgres or Redis is away for a moment, a delivery waits: one that is refused may come again after a minute. */
async function patiently<T>(work: () => Promise<T>, endsAt = Date.now() + 4_000): Promise<T> {
  return work().catch(async (error) => {
    if (Date.now() >= endsAt) throw error;
    await sleep(250);
    return patiently(work, endsAt);
  });
}

/** Whose delivery it is. */
const delivery = new AsyncLocalStorage<string>();
const receiver = createReceiver<string>({
  secrets: async (_, customer) => (await webhookSecrets(customer)) ?? [],
  onRefused: ({ status, reason }) => logRefused("warn", delivery.getStore(), `a delivery got ${status}: ${reason}`),
  onError: (error, { status }) =>
    logRefused("error", delivery.getStore(), `a delivery got ${status}: ${(error as Error).message}`),
});
for (const kind of EVENT_KINDS) {
  receiver.on(kind, async ({ meetingId }, { context: customer, deliveryKey }) => {
    const priority = (bursts.get(customer) ?? 0) + 1;
    bursts.set(customer, priority);
    const options = { ...ONCE, jobId: deliveryKey, priority };
    await patiently(() => events.add("event", { customer, meetingId }, options));
  });
}

const app = new Hono();
app.onError((error, c) => {
  if (error instanceof HTTPException) return error.getResponse();
  log("error", `${c.req.method} ${c.req.path}: ${error.message}`, { customer: c.req.param("id") });
  return c.text("unavailable", 503);
});
app.use("/hooks/*", async (c, next) => {
  await next();
  deliveries.inc({ status: c.res.status });
});
const OF_CUSTOMER = ":id{[a-z0-9-]{1,40}}";
app.post(`/hooks/${OF_CUSTOMER}`, async (c) => {
  const id = c.req.param("id");
  const secrets = await patiently(() => webhookSecrets(id));
  // The service must not repeat a delivery for a customer who has left, but one for a customer who is joining.
  if (secrets === undefined) return c.text("ignored: no such customer");
  if (secrets.length === 0) {
    await webhookIsMissing(id);
    logRefused("warn", id, "a delivery got 503: no webhook is stored, one is made");
    return c.text("not yet", 503);
  }
  return await delivery.run(id, () => receiver.handle(c.req.raw, id));
});

app.route("/", operations);

const ID = `/customers/${OF_CUSTOMER}`;
for (const path of ["/customers/*", "/problems"]) app.use(path, bearerAuth({ token: ADMIN_KEY }));
app.use(`${ID}/*`, async (c, next) => {
  const { rowCount } = await pool.query("SELECT FROM customers WHERE id = $1", [c.req.param("id")]);
  return rowCount === 0 && c.req.method !== "PUT" ? c.text("no such customer", 404) : await next();
});

/** Nothing is done for a customer whose token is refused, until there is a new one. */
for (const path of [`${ID}/read`, `${ID}/webhook`])
  app.use(path, async (c, next) => {
    const sql = "SELECT refused FROM customers WHERE id = $1 AND refused IS NOT NULL";
    const { rows } = await pool.query(sql, [c.req.param("id")]);
    return rows.length > 0 ? c.text(`PUT a new token, this one is refused: ${rows[0].refused}`, 409) : await next();
  });

const DETAILS = "SELECT * FROM customer_details";
const WORST = "ORDER BY cardinality(problems) DESC, polled_at LIMIT 1000";
const STATES = ["reading its history", "up to date", "catching up", "waiting", "late", "refused", "leaving"];
/** What is wrong with whom, the worst first; with `?state=late` only those. */
app.get("/customers", async (c) => {
  const state = c.req.query("state");
  if (state !== undefined && !STATES.includes(state)) return c.text(`expected a state: ${STATES.join(", ")}`, 400);
  const ofState = `${DETAILS} WHERE state = coalesce($1, state) ${WORST}`;
  return c.json((await pool.query(ofState, [state])).rows);
});

/** How many customers are well, and who is not, by the cause. */
const PROBLEMS = `SELECT problem, cause, min(message) AS message, array_agg(customer ORDER BY customer) AS customers
  FROM customer_problems GROUP BY problem, cause ORDER BY count(*) DESC`;
app.get("/problems", async (c) => {
  const { rows } = await pool.query("SELECT state, count(*)::int FROM customer_states GROUP BY state");
  const states = Object.fromEntries(rows.map(({ state, count }) => [state, count]));
  return c.json({ states, problems: (await pool.query(PROBLEMS)).rows });
});

app.get(ID, async (c) => c.json((await pool.query(`${DETAILS} WHERE id = $1`, [c.req.param("id")])).rows[0]));

/** Why a token cannot be used. If the service cannot be asked now, a job finds out. */
async function problemOf(token: string): Promise<string | undefined> {
  try {
    await new Notetaker({ token, maxRetries: 0, timeoutMs: 2_000 }).meetings.list({ limit: 1 });
  } catch (error) {
    if (error instanceof ConfigurationError || isRefusal(error)) return (error as Error).message;
  }
  return undefined;
}

/** Without Redis, a worker finds in the database within a minute what is to be done. */
const addNowOrLater = (name: "join" | "leave", customer: string) =>
  addOnce(name, customer).catch((error: Error) =>
    log("warn", `${name} is left to a worker: ${error.message}`, { customer }),
  );

/** A customer joins, or has a new token. */
app.put(ID, async (c) => {
  const { token } = Object(await c.req.json().catch(() => undefined)) as { token?: unknown };
  if (typeof token !== "string") return c.text('expected {"token": "…"}', 400);
  const problem = await problemOf(token);
  if (problem !== undefined) return c.text(problem, 422);
  if (!(await saveCustomer(c.req.param("id"), token))) return c.text("still leaving", 409);
  await addNowOrLater("join", c.req.param("id"));
  return c.body(null, 202);
});

app.delete(ID, async (c) => {
  await pool.query("UPDATE customers SET leaving = true WHERE id = $1", [c.req.param("id")]);
  await addNowOrLater("leave", c.req.param("id"));
  return c.body(null, 202);
});

/** A new webhook with a new secret: no delivery is refused. */
app.post(`${ID}/webhook`, async (c) => {
  await replaceWebhook(c.req.param("id"));
  await addNowOrLater("join", c.req.param("id"));
  return c.body(null, 202);
});

/** For a customer who was mended: the list is read now, and not when its next poll is due. */
app.post(`${ID}/read`, async (c) => {
  await ticks.add("tick", { customer: c.req.param("id"), now: true });
  return c.body(null, 202);
});

app.get(`${ID}/meetings`, async (c) => {
  const columns = "id, title, status, complete, transcript IS NOT NULL AS transcript";
  const from = "notetaker_meetings WHERE account = $1 AND NOT gone ORDER BY started_at DESC LIMIT 100";
  return c.json((await pool.query(`SELECT ${columns} FROM ${from}`, [c.req.param("id")])).rows);
});

/** Deletes a meeting for good. */
app.delete(`${ID}/meetings/:meeting`, async (c) => {
  const { id, meeting } = c.req.param();
  const known = await pool.query("SELECT FROM notetaker_meetings WHERE account = $1 AND id = $2", [id, meeting]);
  if (known.rowCount === 0) return c.text("no such meeting", 404);
  await forgetMeetings(storeOf(id), [meeting]);
  return c.body(null, 204);
});

setInterval(() => sendAlerts().catch((error: Error) => log("error", `alerts: ${error.message}`)), TICK_MS / 4).unref();
const server = listen("web", app, PORT);

process.once("SIGTERM", () => {
  setTimeout(() => process.exit(1), 9_000).unref();
  server.close(() => process.exit(0)); // deliveries under way are answered
});
