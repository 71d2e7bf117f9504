/** Tells `ALERT_URL` what is wrong with whom, until it has answered 2xx, and after that when it is over. */
import { pool } from "./customers.js";
import { waitingJobs } from "./queue.js";

interface Alert {
  customer: string;
  problem: string;
  message: string;
  since: Date;
  over_at: Date | null;
  /** Whether it was taken that it began. */
  told: boolean;
}

/** In one statement: what began, and what is over. Jobs that wait for two minutes concern all customers. */
const UPDATE = `
  WITH problems AS (
    SELECT customer, problem, message FROM customer_problems
    UNION ALL SELECT '', concat('queue ', queue),
      concat(count, ' jobs wait, the first one for ', round(seconds), ' s: start more workers')
      FROM jsonb_to_recordset($1) AS queues (queue text, count integer, seconds numeric) WHERE seconds >= 120
  ), begun AS (
    INSERT INTO alerts (customer, problem, message) SELECT * FROM problems
    ON CONFLICT (customer, problem) DO UPDATE SET over_at = NULL WHERE alerts.over_at IS NOT NULL
  )
  UPDATE alerts SET over_at = now()
  WHERE over_at IS NULL AND (customer, problem) NOT IN (SELECT customer, problem FROM problems)`;

/** One process at a time does it; the others do nothing. */
export async function sendAlerts(): Promise<void> {
  const db = await pool.connect();
  try {
    const { rows } = await db.query("SELECT pg_try_advisory_lock(hashtext('alerts')) AS taken");
    if (!rows[0].taken) return;
    await db.query(UPDATE, [JSON.stringify(await waitingJobs())]);
    const untold = "SELECT * FROM alerts WHERE NOT told OR over_at IS NOT NULL ORDER BY since LIMIT 100";
    for (const alert of (await db.query<Alert>(untold)).rows) {
      const same = [alert.customer, alert.problem];
      if (!alert.told && !(await wasTaken(alert, "begins"))) continue;
      await db.query("UPDATE alerts SET told = true WHERE customer = $1 AND problem = $2", same);
      if (alert.over_at === null || !(await wasTaken(alert, "is over"))) continue;
      await db.query("DELETE FROM alerts WHERE customer = $1 AND problem = $2", same);
    }
  } finally {
    db.release(true); // ends the connection, and with it the lock
  }
}

/** Without `ALERT_URL`, an alert is a line of the log. */
async function wasTaken({ customer, problem, message, since }: Alert, state: "begins" | "is over"): Promise<boolean> {
  const { ALERT_URL } = process.env;
  console.error(`alert ${state}: ${customer === "" ? "all" : `customer ${customer}`}: ${problem}: ${message}`);
  if (!ALERT_URL) return true;
  const body = JSON.stringify({ customer, problem, state, message, since });
  const init = { method: "POST", headers: { "content-type": "application/json" }, body };
  const response = await fetch(ALERT_URL, { ...init, signal: AbortSignal.timeout(5_000) }).catch(() => undefined);
  return response?.ok === true;
}
