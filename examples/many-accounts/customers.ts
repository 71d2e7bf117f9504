/** What the database holds of the customers: their tokens, and the secrets of their webhooks. */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type ClientOptions,
  EVENT_KINDS,
  ForbiddenError,
  type Middleware,
  Notetaker,
  UnauthorizedError,
} from "notetaker-sdk";
import { instrument } from "notetaker-sdk/otel";
import { postgresStore } from "notetaker-sdk/sql";
import pg from "pg";
import { currentKey, decrypt, encrypt } from "./encryption.js";
import { log } from "./log.js";
import { TICK_MS } from "./queue.js";
import { setting, stop } from "./settings.js";

export const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: 20,
  connectionTimeoutMillis: 5_000,
});
pool.on("error", (error) => log("error", `database: ${error.message}`));

export const storeOf = (customer: string) => postgresStore(pool, { account: customer });

const ENCRYPTED =
  "SELECT id AS customer, token AS text FROM customers UNION ALL SELECT customer, secret FROM customer_webhooks";

/** A process that cannot decrypt what is stored does not start. */
export async function makeTables(): Promise<void> {
  await storeOf("").readState(); // makes the tables of the store
  const db = await pool.connect();
  try {
    await db.query(readFileSync(new URL("./schema.sql", import.meta.url), "utf8"));
  } catch (error) {
    // A newer process has added a column to a view: an older one reads what it knows of it.
    if ((error as { code?: string }).code !== "42P16") throw error;
    log("warn", `the views stay as a newer process has made them: ${(error as Error).message}`);
  } finally {
    db.release(true); // ends the connection, and with it a transaction that has failed
  }
  const ofEachKey = `SELECT DISTINCT ON (split_part(text, '.', 1)) * FROM (${ENCRYPTED}) AS encrypted`;
  for (const { customer, text } of (await pool.query(ofEachKey)).rows) {
    try {
      decrypt(text, customer);
    } catch {
      stop(`ENCRYPTION_KEYS lacks the key "${text.split(".")[0]}" with which the token of ${customer} is encrypted`);
    }
  }
}

/** Also a new token of a customer, refused or not. `false`: the customer is about to leave. */
export async function saveCustomer(id: string, token: string): Promise<boolean> {
  const sql = `INSERT INTO customers (id, token) VALUES ($1, $2)
    ON CONFLICT (id) DO UPDATE SET token = excluded.token, refused = NULL, webhook_due_at = now()
    WHERE NOT customers.leaving`;
  return (await pool.query(sql, [id, encrypt(token, id)])).rowCount === 1;
}

export interface Customer {
  notetaker: Notetaker;
  /** As it is stored, to tell it from the one that replaces it. */
  token: string;
  leaving: boolean;
  /** Whether a tick has something to do before the next one. */
  due: boolean;
  /** Whether the list has failed for minutes: events are left to the ticks, which ask more and more rarely. */
  failing: boolean;
  /** Why the list fails, as the last run that has read it says. */
  error: string | null;
  /** Why the latest request has failed, if the service did: a run that is paused says only that. */
  failure(): string | undefined;
}

/** `undefined`: there is no such customer, or its token is refused. */
export async function openCustomer(id: string, options: ClientOptions = {}): Promise<Customer | undefined> {
  const { rows } = await pool.query<Omit<Customer, "notetaker" | "failure">>(
    `SELECT token, leaving, error, (failing_since < now() - interval '3 min') IS TRUE AS failing,
      coalesce(next_at < now() + $2 * interval '1 ms' OR (failing_since > now() - interval '3 min') IS TRUE, true) AS due
    FROM customers LEFT JOIN notetaker_accounts ON account = id WHERE id = $1 AND (refused IS NULL OR leaving)`,
    [id, TICK_MS / 4],
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  let failure: string | undefined;
  const remember: Middleware = async (request, next, { operation }) => {
    try {
      const response = await next(request);
      failure = response.status >= 500 ? `${operation}: ${response.status}` : undefined;
      return response;
    } catch (error) {
      failure = `${operation}: ${(error as Error).message}`;
      throw error;
    }
  };
  // Three attempts at a service that hangs fit into the budget of a tick.
  const own = { token: decrypt(row.token, id), timeoutMs: 15_000, middleware: [remember] };
  const notetaker = new Notetaker({ ...options, ...own });
  return { ...row, notetaker: instrument(notetaker), failure: () => failure };
}

/** Whether the service refuses the token. */
export const isRefusal = (error: unknown) => error instanceof UnauthorizedError || error instanceof ForbiddenError;

const SECRETS_MS = 5_000;
const cachedSecrets = new Map<string, Promise<string[] | undefined>>();

/** Cached for five seconds, unless there is none. `undefined`: there is no such customer. */
export function webhookSecrets(customer: string): Promise<string[] | undefined> {
  const cached = cachedSecrets.get(customer);
  if (cached !== undefined) return cached;
  const read = pool
    .query<{ secrets: string[] }>("SELECT secrets FROM customer_secrets WHERE customer = $1", [customer])
    .then(({ rows: [row] }) => row?.secrets.map((secret) => decrypt(secret, customer)));
  cachedSecrets.set(customer, read);
  const forget = () => cachedSecrets.delete(customer);
  read.then((secrets) => secrets?.length || forget(), forget);
  setTimeout(forget, SECRETS_MS).unref();
  return read;
}

const PUBLIC_URL = setting("PUBLIC_URL").replace(/\/+$/, "");
if (!/^https?:/.test(PUBLIC_URL) || !URL.canParse(PUBLIC_URL)) stop(`PUBLIC_URL is no URL of the web: ${PUBLIC_URL}`);
export const hookUrl = (customer: string) => `${PUBLIC_URL}/hooks/${customer}`;

/** A worker makes the webhook within a minute, and the customer has a problem until then. */
export const webhookIsMissing = (customer: string) =>
  pool.query("UPDATE customers SET webhook_due_at = now() WHERE id = $1 AND webhook_due_at > now()", [customer]);

/** Another webhook with another secret will be in the place of the customer's own. */
export async function replaceWebhook(customer: string): Promise<void> {
  const sql = `WITH own AS (UPDATE customer_webhooks SET replaced = true WHERE customer = $1 AND ended_at IS NULL)
    UPDATE customers SET webhook_due_at = now() WHERE id = $1`;
  await pool.query(sql, [customer]);
}

/**
 * One webhook of the customer, its secret stored. A new one is enabled when every web process knows its secret, and the
 * others are deleted after that: no delivery is refused. An event may come from both, and its meeting is written once.
 * One process at a time: two could each create a webhook.
 */
export async function setWebhook(customer: string, { webhooks }: Notetaker, signal: AbortSignal) {
  const db = await pool.connect();
  try {
    await db.query("SELECT pg_advisory_lock(hashtext('webhook'), hashtext($1))", [customer]);
    const stored = "SELECT id, replaced FROM customer_webhooks WHERE customer = $1 AND ended_at IS NULL";
    const { rows } = await db.query<{ id: string; replaced: boolean }>(stored, [customer]);
    const url = hookUrl(customer);
    const own = (await webhooks.list({ signal })).filter((webhook) => webhook.url === url);
    for (const { id } of rows.filter((row) => !own.some((webhook) => webhook.id === row.id)))
      log("warn", `the service has the webhook ${id} no more: another one is made`, { customer });
    const known = own.find((webhook) => rows.some((row) => row.id === webhook.id && !row.replaced));
    let id = known?.id;
    if (id === undefined) {
      const created = await webhooks.create({ url, events: [...EVENT_KINDS], enabled: false }, { signal });
      id = created.id;
      const values = [id, customer, encrypt(created.secret, customer)];
      await db.query("INSERT INTO customer_webhooks (id, customer, secret) VALUES ($1, $2, $3)", values);
    }
    if (own.length > 0 && !known?.enabled) await sleep(SECRETS_MS + 1_000, undefined, { signal });
    await webhooks.update(id, { enabled: true, events: [...EVENT_KINDS] }, { signal });
    for (const other of own) if (other.id !== id) await webhooks.delete(other.id, { signal });
    const ended = "UPDATE customer_webhooks SET ended_at = now() WHERE customer = $1 AND id <> $2 AND ended_at IS NULL";
    await db.query(ended, [customer, id]);
    const done = `UPDATE customers SET webhook_due_at = now() + interval '1 hour' WHERE id = $1 AND NOT EXISTS
      (SELECT FROM customer_webhooks WHERE customer = $1 AND ended_at IS NULL AND replaced)`;
    await db.query(done, [customer]);
  } finally {
    db.release(true); // ends the connection, and with it the lock
  }
}

/** Encrypts again with the current key what an older key has encrypted. */
export async function useCurrentKey(): Promise<void> {
  const old = `SELECT * FROM (${ENCRYPTED}) AS encrypted WHERE split_part(text, '.', 1) <> $1`;
  for (const { customer, text } of (await pool.query(old, [currentKey])).rows) {
    const values = [text, encrypt(decrypt(text, customer), customer)];
    await pool.query("UPDATE customers SET token = $2 WHERE token = $1", values);
    await pool.query("UPDATE customer_webhooks SET secret = $2 WHERE secret = $1", values);
  }
}
