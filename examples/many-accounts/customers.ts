/** What the database holds of the customers: their tokens, and the secrets of their webhooks. */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type ClientOptions, EVENT_KINDS, Notetaker } from "notetaker-sdk";
import { instrument } from "notetaker-sdk/otel";
import { postgresStore } from "notetaker-sdk/sql";
import pg from "pg";
import { currentKey, decrypt, encrypt } from "./encryption.js";
import { TICK_MS } from "./queue.js";

const connectionString = process.env.DATABASE_URL;
export const pool = new pg.Pool({ connectionString, max: 20, connectionTimeoutMillis: 5_000 });
pool.on("error", (error) => console.error(`database: ${error.message}`));

export const storeOf = (customer: string) => postgresStore(pool, { account: customer });

export async function makeTables(): Promise<void> {
  await storeOf("").readState(); // makes the tables of the store
  await pool.query(readFileSync(new URL("./schema.sql", import.meta.url), "utf8"));
}

/** Also a new token of a customer, refused or not. `false`: the customer is about to leave. */
export async function saveCustomer(id: string, token: string): Promise<boolean> {
  const { rowCount } = await pool.query(
    `INSERT INTO customers (id, token) VALUES ($1, $2)
    ON CONFLICT (id) DO UPDATE SET token = excluded.token, refused = NULL WHERE NOT customers.leaving`,
    [id, encrypt(token, id)],
  );
  return rowCount === 1;
}

export async function isCustomer(id: string): Promise<boolean> {
  return (await pool.query("SELECT FROM customers WHERE id = $1", [id])).rowCount === 1;
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
}

/** `undefined`: there is no such customer, or its token is refused. */
export async function openCustomer(id: string, throttle?: ClientOptions["throttle"]): Promise<Customer | undefined> {
  const { rows } = await pool.query<Omit<Customer, "notetaker">>(
    `SELECT token, leaving, (failing_since < now() - interval '3 min') IS TRUE AS failing,
      coalesce(next_at < now() + $2 * interval '1 ms' OR (failing_since > now() - interval '3 min') IS TRUE, true) AS due
    FROM customers LEFT JOIN notetaker_accounts ON account = id WHERE id = $1 AND (refused IS NULL OR leaving)`,
    [id, TICK_MS / 4],
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  return { ...row, notetaker: instrument(new Notetaker({ token: decrypt(row.token, id), throttle })) };
}

/** Nothing happens for the customer until there is a new token, unless it was replaced meanwhile. */
export async function refuse(customer: string, token: string, reason: string): Promise<void> {
  await pool.query("UPDATE customers SET refused = $3 WHERE id = $1 AND token = $2", [customer, token, reason]);
}

/** A replaced webhook's secret is accepted for ten minutes: the service repeats a delivery for less than two. */
const SECRETS = `SELECT array_agg(secret) FILTER (WHERE secret IS NOT NULL) AS secrets FROM customers
  LEFT JOIN customer_webhooks ON customer = customers.id AND coalesce(ended_at > now() - interval '10 min', true)
  WHERE customers.id = $1 AND NOT leaving GROUP BY customers.id`;
const SECRETS_MS = 5_000;
const cachedSecrets = new Map<string, Promise<string[] | undefined>>();

/** Cached for five seconds, unless there is none. `undefined`: there is no such customer. */
export function webhookSecrets(customer: string): Promise<string[] | undefined> {
  const cached = cachedSecrets.get(customer);
  if (cached !== undefined) return cached;
  const read = pool
    .query<{ secrets: string[] | null }>(SECRETS, [customer])
    .then(({ rows: [row] }) => row && (row.secrets ?? []).map((secret) => decrypt(secret, customer)));
  cachedSecrets.set(customer, read);
  const forget = () => cachedSecrets.delete(customer);
  read.then((secrets) => secrets?.length || forget(), forget);
  setTimeout(forget, SECRETS_MS).unref();
  return read;
}

export const hookUrl = (customer: string) => `${process.env.PUBLIC_URL}/hooks/${customer}`;

/**
 * One webhook, its secret stored. One process at a time: two could each create a webhook. All queries use one connection:
 * if each join waited for a second one, twenty joins at once would wait for each other.
 */
export async function ensureWebhook(customer: string, { webhooks }: Notetaker, signal: AbortSignal): Promise<void> {
  const db = await pool.connect();
  try {
    await db.query("BEGIN");
    await db.query("SELECT FROM customers WHERE id = $1 FOR NO KEY UPDATE", [customer]);
    const secretStore = {
      async get({ id }: { id: string }) {
        const { rows } = await db.query("SELECT secret FROM customer_webhooks WHERE id = $1", [id]);
        return rows[0] && decrypt(rows[0].secret, customer);
      },
      async set({ id }: { id: string }, secret: string) {
        const values = [id, customer, encrypt(secret, customer)];
        await db.query("INSERT INTO customer_webhooks (id, customer, secret) VALUES ($1, $2, $3)", values);
      },
    };
    const webhook = { url: hookUrl(customer), events: [...EVENT_KINDS], recreate: true, secretStore };
    await webhooks.ensure(webhook, { signal });
    await db.query("COMMIT");
  } finally {
    db.release(true); // ends the connection, and with it what was not committed
  }
}

/**
 * A new webhook with a new secret. It is enabled when every web process knows its secret, and the old one is deleted
 * after that: no delivery is refused. An event may come from both, and its meeting is written once.
 */
export async function replaceWebhook(customer: string, { webhooks }: Notetaker): Promise<void> {
  const url = hookUrl(customer);
  const old = (await webhooks.list()).filter((webhook) => webhook.url === url).map(({ id }) => id);
  const { id, secret } = await webhooks.create({ url, events: [...EVENT_KINDS], enabled: false });
  const values = [id, customer, encrypt(secret, customer)];
  await pool.query("INSERT INTO customer_webhooks (id, customer, secret) VALUES ($1, $2, $3)", values);
  await sleep(SECRETS_MS + 1_000);
  await webhooks.update(id, { enabled: true });
  for (const one of old) await webhooks.delete(one);
  const ended = "UPDATE customer_webhooks SET ended_at = now() WHERE customer = $1 AND id <> $2 AND ended_at IS NULL";
  await pool.query(ended, [customer, id]);
}

/** Encrypts everything again that an older key has encrypted. Resolves to how many texts there were. */
export async function useCurrentKey(): Promise<number> {
  let count = 0;
  for (const [table, column, customer] of [
    ["customers", "token", "id"],
    ["customer_webhooks", "secret", "customer"],
  ]) {
    const old = `SELECT ${customer} AS customer, ${column} AS text FROM ${table} WHERE split_part(${column}, '.', 1) <> $1`;
    for (const { customer, text } of (await pool.query(old, [currentKey])).rows) {
      const values = [text, encrypt(decrypt(text, customer), customer)];
      await pool.query(`UPDATE ${table} SET ${column} = $2 WHERE ${column} = $1`, values);
      count += 1;
    }
  }
  return count;
}

/** The account first, as in the store's own writes: so neither waits for the other. */
export async function deleteRows(customer: string): Promise<void> {
  await pool.query("DELETE FROM notetaker_accounts WHERE account = $1", [customer]);
  await pool.query("DELETE FROM customers WHERE id = $1", [customer]);
}
