/** The web process, of which any number run: it receives events, and customers join and leave. */
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { bearerAuth } from "hono/bearer-auth";
import { EVENT_KINDS } from "notetaker-sdk";
import { createReceiver } from "notetaker-sdk/webhooks";
import { makeTables, pool, saveCustomer, webhookSecrets } from "./customers.js";
import { addOnce, events, ONCE, ticks } from "./queue.js";

await makeTables();

/** The events of each customer in the last minute: the first event of one comes before the tenth of another. */
const bursts = new Map<string, number>();
setInterval(() => bursts.clear(), 60_000).unref();

const receiver = createReceiver<string>({ secrets: (_, customer) => webhookSecrets(customer) });
for (const kind of EVENT_KINDS) {
  receiver.on(kind, async ({ meetingId }, { context: customer, deliveryKey }) => {
    const priority = (bursts.get(customer) ?? 0) + 1;
    bursts.set(customer, priority);
    await events.add("event", { customer, meetingId }, { ...ONCE, jobId: deliveryKey, priority });
  });
}

const app = new Hono();
app.post("/hooks/:id", (c) => receiver.handle(c.req.raw, c.req.param("id")));

app.use("/customers/*", bearerAuth({ token: process.env.ADMIN_KEY ?? "" }));
const ID = "/customers/:id{[a-z0-9-]{1,40}}";

/** A customer joins, or has a new token. */
app.put(ID, async (c) => {
  const { token } = await c.req.json<{ token: string }>();
  if (!(await saveCustomer(c.req.param("id"), token))) return c.text("still leaving", 409);
  await addOnce("join", c.req.param("id"));
  return c.body(null, 202);
});

app.delete(ID, async (c) => {
  await pool.query("UPDATE customers SET leaving = true WHERE id = $1", [c.req.param("id")]);
  await addOnce("leave", c.req.param("id"));
  return c.body(null, 202);
});

app.get(`${ID}/meetings`, async (c) => {
  const columns = "id, title, status, complete, transcript IS NOT NULL AS transcript";
  const from = "notetaker_meetings WHERE account = $1 AND NOT gone ORDER BY started_at DESC LIMIT 100";
  return c.json((await pool.query(`SELECT ${columns} FROM ${from}`, [c.req.param("id")])).rows);
});

async function figures(): Promise<Record<string, number>> {
  const { rows } = await pool.query(`SELECT
    count(*)::int AS customers, count(refused)::int AS customers_parked,
    (count(*) FILTER (WHERE late))::int AS customers_late,
    coalesce(extract(epoch FROM now() - min(next_at) FILTER (WHERE refused IS NULL)), 0)::float
      AS oldest_next_at_seconds FROM customer_states`);
  const events_waiting = await events.getJobCountByTypes("wait", "prioritized", "delayed");
  return { ...rows[0], events_waiting, ticks_waiting: await ticks.getJobCountByTypes("wait") };
}

app.get("/health", async (c) => c.json(await figures()));
app.get("/metrics", async (c) => {
  const lines = Object.entries(await figures()).map(([name, value]) => `${name} ${value}\n`);
  return c.text(lines.join(""));
});

const server = serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000) }, ({ port }) =>
  console.log(`web: http://127.0.0.1:${port}`),
);

process.once("SIGTERM", () => {
  setTimeout(() => process.exit(1), 9_000).unref();
  server.close(() => process.exit(0)); // deliveries under way are answered
});
