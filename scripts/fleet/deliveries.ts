/** Sends deliveries to the web process at a fixed pace, and measures how long each takes. */
import { setTimeout as sleep } from "node:timers/promises";
import { sign } from "notetaker-sdk/webhooks";
import type pg from "pg";

const SECONDS = 20;

/** Their customer has no account at the service: only the way into the queue is measured. */
export async function measureDeliveries(
  pool: pg.Pool,
  env: Record<string, string | undefined>,
  perSecond: number,
): Promise<string> {
  Object.assign(process.env, { ENCRYPTION_KEYS: env.ENCRYPTION_KEYS });
  const { encrypt } = await import("../../examples/many-accounts/encryption.js");
  const [customer, secret] = ["deliveries", "whsec_fleet"];
  const added = "INSERT INTO customers (id, token, refused) VALUES ($1, $2, 'a measurement')";
  await pool.query(added, [customer, encrypt("none", customer)]);
  const values = [customer, encrypt(secret, customer)];
  await pool.query("INSERT INTO customer_webhooks (id, customer, secret) VALUES ('whk_fleet', $1, $2)", values);
  const durations: number[] = [];
  const failures: string[] = [];
  const deliver = async (number: number) => {
    const body = JSON.stringify({ event: "meeting.transcript_ready", id: `mtg_${number}` });
    const headers = { "content-type": "application/json", "x-webhook-signature": await sign(body, secret) };
    const startedAt = performance.now();
    const response = await fetch(`${env.PUBLIC_URL}/hooks/${customer}`, { method: "POST", headers, body });
    durations.push(performance.now() - startedAt);
    if (response.status !== 200) failures.push(String(response.status));
  };
  const startedAt = performance.now();
  const sending: Promise<void>[] = [];
  for (let number = 0; number < perSecond * SECONDS; number += 1) {
    const waitMs = startedAt + (number * 1_000) / perSecond - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    sending.push(deliver(number).catch((error: Error) => void failures.push(error.message)));
  }
  await Promise.all(sending);
  const answered = Math.round((durations.length * 1_000) / (performance.now() - startedAt));
  await pool.query("DELETE FROM customers WHERE id = $1", [customer]);
  durations.sort((left, right) => left - right);
  const at = (share: number) => `${Math.round(durations[Math.floor(durations.length * share)] ?? 0)} ms`;
  return `${answered} a second, p50 ${at(0.5)}, p99 ${at(0.99)}, ${failures.length} failed ${failures.slice(0, 3)}`;
}
