/** Tells `ALERT_URL` what is wrong with whom, until it has answered 2xx, and after that when it is over. */
import { pool } from "./customers.js";
import { log } from "./log.js";
import { waitingJobs } from "./queue.js";

/** One process at a time does it; the others do nothing. */
export async function sendAlerts(): Promise<void> {
  const db = await pool.connect();
  try {
    const { rows } = await db.query("SELECT pg_try_advisory_lock(hashtext('alerts')) AS taken");
    if (!rows[0].taken) return;
    await db.query("SELECT update_alerts($1)", [JSON.stringify(await waitingJobs())]);
    const untold = "SELECT * FROM alerts WHERE NOT told OR over_at IS NOT NULL ORDER BY since LIMIT 100";
    for (const { customer, problem, message, since, told, over_at } of (await db.query(untold)).rows) {
      const alert = { customer, problem, message, since };
      if (!told && !(await wasTaken({ ...alert, state: "begins" }))) continue;
      await db.query("UPDATE alerts SET told = true WHERE customer = $1 AND problem = $2", [customer, problem]);
      if (over_at === null || !(await wasTaken({ ...alert, state: "is over" }))) continue;
      await db.query("DELETE FROM alerts WHERE customer = $1 AND problem = $2", [customer, problem]);
    }
  } finally {
    db.release(true); // ends the connection, and with it the lock
  }
}

/** Without `ALERT_URL`, an alert is a line of the log. */
async function wasTaken(alert: Record<"customer" | "problem" | "message" | "state", string>): Promise<boolean> {
  const { ALERT_URL } = process.env;
  const level = alert.state === "begins" ? "error" : "info";
  log(level, `alert ${alert.state}: ${alert.problem}: ${alert.message}`, { customer: alert.customer || undefined });
  if (!ALERT_URL) return true;
  const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(alert) };
  const response = await fetch(ALERT_URL, { ...init, signal: AbortSignal.timeout(5_000) }).catch(() => undefined);
  return response?.ok === true;
}
