/** The web process, of which any number run: it receives events, and customers join and leave. */
import { Hono } from "hono";
import { bearerAuth } from "hono/bearer-auth";
import { HTTPException } from "hono/http-exception";
import { ConfigurationError, EVENT_KINDS, Notetaker } from "notetaker-sdk";
import { createReceiver } from "notetaker-sdk/webhooks";
import { isCustomer, makeTables, pool, saveCustomer, webhookSecrets } from "./customers.js";
import { deliveries, listen, operations } from "./metrics.js";
import { addOnce, events, ONCE } from "./queue.js";

const { ADMIN_KEY = "" } = process.env;
if (ADMIN_KEY === "") throw new Error("ADMIN_KEY is not set");
await makeTables();

/** The events of each customer in the last minute: the first event of one comes before the tenth of another. */
const bursts = new Map<string, number>();
setInterval(() => bursts.clear(), 60_000).unref();

const receiver = createReceiver<string>({ secrets: async (_, customer) => (await webhookSecrets(customer)) ?? [] });
for (const kind of EVENT_KINDS) {
  receiver.on(kind, async ({ meetingId }, { context: customer, deliveryKey }) => {
    const priority = (bursts.get(customer) ?? 0) + 1;
    bursts.set(customer, priority);
    await events.add("event", { customer, meetingId }, { ...ONCE, jobId: deliveryKey, priority });
  });
}

async function respond(request: Request, customer: string): Promise<Response> {
  const secrets = await webhookSecrets(customer);
  // The service must not repeat a delivery for a customer who has left, but one for a customer who is joining.
  if (secrets === undefined) return new Response("ignored: no such customer");
  if (secrets.length === 0) return new Response("not yet", { status: 503 });
  return await receiver.handle(request, customer);
}

const app = new Hono();
app.onError((error, c) => {
  if (error instanceof HTTPException) return error.getResponse();
  console.error(`${c.req.method} ${c.req.path}: ${error.message}`);
  return c.text("unavailable", 503);
});
app.post("/hooks/:id", async (c) => {
  const customer = c.req.param("id");
  const response = await respond(c.req.raw, customer);
  deliveries.inc({ status: response.status });
  return response;
});

app.route("/", operations);

app.use("/customers", bearerAuth({ token: ADMIN_KEY }));
app.use("/customers/*", bearerAuth({ token: ADMIN_KEY }));
const ID = "/customers/:id{[a-z0-9-]{1,40}}";

/** What is wrong with whom, the worst first. */
app.get("/customers", async (c) => {
  const problems =
    "array(SELECT problem || ': ' || message FROM customer_problems WHERE customer = customer_states.id) AS problems";
  const meetings = "(SELECT count(*)::int FROM notetaker_meetings WHERE account = customer_states.id) AS meetings";
  const columns = `id, state, polled_at, failing_since, error, ${meetings}, ${problems}`;
  const order = "ORDER BY late DESC, refused IS NULL, polled_at LIMIT 1000";
  return c.json((await pool.query(`SELECT ${columns} FROM customer_states ${order}`)).rows);
});

/** A customer joins, or has a new token. */
app.put(ID, async (c) => {
  const { token } = Object(await c.req.json().catch(() => undefined)) as { token?: unknown };
  if (typeof token !== "string") return c.text('expected {"token": "…"}', 400);
  try {
    new Notetaker({ token });
  } catch (error) {
    if (error instanceof ConfigurationError) return c.text(error.message, 422);
    throw error;
  }
  if (!(await saveCustomer(c.req.param("id"), token))) return c.text("still leaving", 409);
  await addOnce("join", c.req.param("id"));
  return c.body(null, 202);
});

app.delete(ID, async (c) => {
  const { rowCount } = await pool.query("UPDATE customers SET leaving = true WHERE id = $1", [c.req.param("id")]);
  if (rowCount === 0) return c.text("no such customer", 404);
  await addOnce("leave", c.req.param("id"));
  return c.body(null, 202);
});

app.get(`${ID}/meetings`, async (c) => {
  if (!(await isCustomer(c.req.param("id")))) return c.text("no such customer", 404);
  const columns = "id, title, status, complete, transcript IS NOT NULL AS transcript";
  const from = "notetaker_meetings WHERE account = $1 AND NOT gone ORDER BY started_at DESC LIMIT 100";
  return c.json((await pool.query(`SELECT ${columns} FROM ${from}`, [c.req.param("id")])).rows);
});

const server = listen("web", app, Number(process.env.PORT ?? 3000));

process.once("SIGTERM", () => {
  setTimeout(() => process.exit(1), 9_000).unref();
  server.close(() => process.exit(0)); // deliveries under way are answered
});
