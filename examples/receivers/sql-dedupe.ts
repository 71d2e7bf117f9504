/** Handled deliveries in SQL, shared by several processes. The same statements work in SQLite and Postgres. */
import type { DedupeStore } from "notetaker-sdk/webhooks";

/** Runs a statement that has a `?` for each value. Returns the rows, if it selects any. */
export type Query = (sql: string, ...values: (string | number)[]) => unknown[] | Promise<unknown[]>;

/** How long a claim holds if its process dies: longer than any handler, shorter than the 70 s to the last retry. */
const CLAIM_MS = 60_000;

/** How long a handled delivery is remembered: longer than the two minutes in which the service retries. */
const KEEP_MS = 24 * 3_600_000;

/** The owner of a delivery that is done. */
const DONE = "done";

/** Run it once, for example when the program starts. */
export const CREATE_TABLE = `CREATE TABLE IF NOT EXISTS deliveries
  (key TEXT PRIMARY KEY, owner TEXT NOT NULL, expires_at BIGINT NOT NULL)`;

export const sqlDedupe = (query: Query): DedupeStore => ({
  async claim(key, owner) {
    const now = Date.now();
    // One atomic statement: it inserts the claim, or takes over a row that has expired.
    const claimed = await query(
      `INSERT INTO deliveries (key, owner, expires_at) VALUES (?, ?, ?)
       ON CONFLICT (key) DO UPDATE SET owner = excluded.owner, expires_at = excluded.expires_at
       WHERE deliveries.expires_at <= ? RETURNING owner`,
      ...[key, owner, now + CLAIM_MS, now],
    );
    if (claimed.length > 0) return "claimed";
    const done = await query("SELECT owner FROM deliveries WHERE key = ? AND owner = ?", key, DONE);
    return done.length > 0 ? "done" : "in_progress";
  },
  async complete(key, owner) {
    const now = Date.now();
    const update = "UPDATE deliveries SET owner = ?, expires_at = ? WHERE key = ? AND owner = ?";
    await query(update, DONE, now + KEEP_MS, key, owner);
    await query("DELETE FROM deliveries WHERE expires_at <= ?", now);
  },
  async release(key, owner) {
    await query("DELETE FROM deliveries WHERE key = ? AND owner = ?", key, owner);
  },
});
