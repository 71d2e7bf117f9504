/**
 * Handled deliveries in SQL, shared by several processes. The same statements
 * work in SQLite and Postgres. With `node:sqlite` (Node 22.16 and later):
 *
 *   const database = new DatabaseSync("deliveries.db", { timeout: 5_000 });
 *   const dedupe = sqlDedupe((sql, ...values) =>
 *     database.prepare(sql).all(...values),
 *   );
 *
 * With `better-sqlite3`, statements without rows (`!statement.reader`) need
 * `run`. With `pg`, which writes $1, $2, … in place of each `?`:
 *
 *   const dedupe = sqlDedupe(async (sql, ...values) => {
 *     let count = 0;
 *     const text = sql.replaceAll("?", () => `$${++count}`);
 *     return (await pool.query(text, values)).rows;
 *   });
 */
import type { DedupeStore } from "notetaker-sdk/webhooks";

/** Runs a statement with a `?` for each value. Returns the selected rows. */
export type Query = (
  sql: string,
  ...values: (string | number)[]
) => unknown[] | Promise<unknown[]>;

/**
 * How long a claim holds if its process dies. The service's last retry comes a
 * minute after the attempt before it: the claim must have ended by then.
 */
const CLAIM_MS = 30_000;

/** How long a handled delivery is remembered. */
const KEEP_MS = 24 * 3_600_000;

/** The owner of a delivery that is done. */
const DONE = "done";

/** Run it once, for example when the program starts. */
export const CREATE_TABLE = `CREATE TABLE IF NOT EXISTS deliveries
  (key TEXT PRIMARY KEY, owner TEXT NOT NULL, expires_at BIGINT NOT NULL)`;

/** One atomic statement: it inserts the claim, or takes over an expired one. */
const CLAIM = `INSERT INTO deliveries (key, owner, expires_at) VALUES (?, ?, ?)
  ON CONFLICT (key)
  DO UPDATE SET owner = excluded.owner, expires_at = excluded.expires_at
  WHERE deliveries.expires_at <= ? RETURNING owner`;

const OWNED = "WHERE key = ? AND owner = ?";

export const sqlDedupe = (query: Query): DedupeStore => ({
  async claim(key, owner) {
    const now = Date.now();
    const claimed = await query(CLAIM, key, owner, now + CLAIM_MS, now);
    if (claimed.length > 0) return "claimed";
    const select = `SELECT owner FROM deliveries ${OWNED}`;
    const done = await query(select, key, DONE);
    return done.length > 0 ? "done" : "in_progress";
  },
  async complete(key, owner) {
    const now = Date.now();
    const update = `UPDATE deliveries SET owner = ?, expires_at = ? ${OWNED}`;
    await query(update, DONE, now + KEEP_MS, key, owner);
    await query("DELETE FROM deliveries WHERE expires_at <= ?", now);
  },
  async release(key, owner) {
    await query(`DELETE FROM deliveries ${OWNED}`, key, owner);
  },
});
