/** What the database holds of the customers: their tokens, and the secrets of their webhooks. */
import { readFileSync } from "node:fs";
import { type ClientOptions, EVENT_KINDS, Notetaker } from "notetaker-sdk";
import { instrument } from "notetaker-sdk/otel";
import { postgresStore } from "notetaker-sdk/sql";
import pg from "pg";
import { decrypt, encrypt } from "./encryption.js";

const connectionString = process.env.DATABASE_URL;
export const pool = new pg.Pool({ connectionString, max: 20, connectionTimeoutMillis: 5_000 });
pool.on("error", (error) => console.error(`database: ${error.message}`));

export const storeOf = (customer: string) => postgresStore(pool, { account: customer });

export async function makeTables(): Promise<void> {
  await storeOf("").readState(); // makes the tables of the store
  await pool.query(readFileSync(new URL("./schema.sql", import.meta.url), "utf8"));
}

/** Also a new token of a customer, parked or not. `false`: the customer is about to leave. */
export async function saveCustomer(id: string, token: string): Promise<boolean> {
  const { rowCount } = await pool.query(
    `INSERT INTO customers (id, token) VALUES ($1, $2)
    ON CONFLICT (id) DO UPDATE SET token = excluded.token, refused = NULL WHERE NOT customers.leaving`,
    [id, encrypt(token, id)],
  );
  return rowCount === 1;
}

export interface Customer {
  notetaker: Notetaker;
  /** As it is stored, to tell it from the one that replaces it. */
  token: Buffer;
  leaving: boolean;
  /** Whether a tick has something to do before the next one. */
  due: boolean;
}

/** `undefined`: there is no such customer, or the customer is parked. */
export async function openCustomer(id: string, throttle: ClientOptions["throttle"]): Promise<Customer | undefined> {
  const { rows } = await pool.query<Omit<Customer, "notetaker">>(
    `SELECT token, leaving, coalesce(next_at < now() + interval '15 s', true) AS due
    FROM customers LEFT JOIN notetaker_accounts ON account = id WHERE id = $1 AND (refused IS NULL OR leaving)`,
    [id],
  );
  return (
    rows[0] && { ...rows[0], notetaker: instrument(new Notetaker({ token: decrypt(rows[0].token, id), throttle })) }
  );
}

/** Unless the token was replaced meanwhile. */
export async function park(customer: string, token: Buffer, reason: string): Promise<boolean> {
  const values = [customer, token, reason];
  const { rowCount } = await pool.query("UPDATE customers SET refused = $3 WHERE id = $1 AND token = $2", values);
  return rowCount === 1;
}

export async function webhookSecrets(customer: string): Promise<string[]> {
  const { rows } = await pool.query("SELECT secret FROM customer_webhooks WHERE customer = $1", [customer]);
  return rows.map(({ secret }) => decrypt(secret, customer));
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
        await db.query("INSERT INTO customer_webhooks VALUES ($1, $2, $3)", values);
      },
    };
    const webhook = { url: hookUrl(customer), events: [...EVENT_KINDS], recreate: true, secretStore };
    await webhooks.ensure(webhook, { signal });
    await db.query("COMMIT");
  } finally {
    db.release(true); // ends the connection, and with it what was not committed
  }
}

/** The account first, as in the store's own writes: so neither waits for the other. */
export async function deleteRows(customer: string): Promise<void> {
  await pool.query("DELETE FROM notetaker_accounts WHERE account = $1", [customer]);
  await pool.query("DELETE FROM customers WHERE id = $1", [customer]);
}
