/** Tells `ALERT_URL` what is wrong with whom, until it has answered 2xx, and after that when it is over. */
import { pool } from "./customers.js";
import { log } from "./log.js";
import { TICK_MS, waitingJobs } from "./queue.js";

/** What has begun waits for half a minute for others of the same cause; those who come later, for five minutes. */
const DUE = `SELECT problem, cause, customers, message, since, state FROM notices WHERE state = 'is over'
  OR (untold_since < now() - $1::interval AND coalesce(told_at < now() - 10 * $1::interval, true))`;
const WAIT = `${TICK_MS / 2} ms`;

type Notice = Record<"problem" | "cause" | "message" | "state", string> & { customers: string[] };

/** One process at a time does it; the others do nothing. */
export async function sendAlerts(): Promise<void> {
  const db = await pool.connect();
  try {
    const { rows } = await db.query("SELECT pg_try_advisory_lock(hashtext('alerts')) AS taken");
    if (!rows[0].taken) return;
    await db.query("SELECT update_alerts($1, $2)", [JSON.stringify(await waitingJobs()), WAIT]);
    for (const notice of (await db.query<Notice>(DUE, [WAIT])).rows) {
      if (!(await wasTaken(notice))) continue;
      const done = notice.state === "is over" ? "DELETE FROM alerts" : "UPDATE alerts SET told_at = now()";
      await db.query(`${done} WHERE problem = $1 AND cause = $2`, [notice.problem, notice.cause]);
    }
  } finally {
    db.release(true); // ends the connection, and with it the lock
  }
}

/** Without `ALERT_URL`, an alert is a line of the log. */
async function wasTaken(notice: Notice): Promise<boolean> {
  const { ALERT_URL } = process.env;
  const { problem, state, message, customers } = notice;
  log(state === "is over" ? "info" : "error", `alert ${state}: ${problem}: ${message}`, { customers });
  if (!ALERT_URL) return true;
  const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(notice) };
  const response = await fetch(ALERT_URL, { ...init, signal: AbortSignal.timeout(5_000) }).catch(() => undefined);
  return response?.ok === true;
}
