/** The statements of the lease, and those that read. */
import { type Dialect, statement } from "./statements.js";
import { WORDS } from "./tables.js";

export function leaseStatements(dialect: Dialect) {
  const { heldUntil, inThreeMinutes, now } = WORDS[dialect];
  return {
    addAccount: statement(
      dialect,
      "INSERT INTO notetaker_accounts (account, version) VALUES (?, 0) ON CONFLICT (account) DO NOTHING",
    ),
    // An end that is further ahead than a lease lasts is of a clock that was set back.
    takeLease: statement(
      dialect,
      `UPDATE notetaker_accounts SET owner = ?, held_until = ${inThreeMinutes}
      WHERE account = ? AND (owner IS NULL OR held_until <= ${now} OR held_until > ${inThreeMinutes})
      RETURNING account`,
    ),
    readLease: statement(dialect, `SELECT ${heldUntil} AS held_until FROM notetaker_accounts WHERE account = ?`),
    renewLease: statement(
      dialect,
      `UPDATE notetaker_accounts SET held_until = ${inThreeMinutes}
      WHERE account = ? AND owner = ? RETURNING account`,
    ),
    endLease: statement(
      dialect,
      "UPDATE notetaker_accounts SET owner = NULL, held_until = NULL WHERE account = ? AND owner = ? RETURNING account",
    ),
  };
}

export function readStatements(dialect: Dialect) {
  const { time } = WORDS[dialect];
  /** A statement about meetings and pending ids, `t`. */
  const both = (sql: string, last = "") =>
    statement(
      dialect,
      ["notetaker_meetings", "notetaker_pending"].map((t) => sql.replace("FROM t", `FROM ${t}`)).join(" UNION ALL ") +
        last,
    );
  const listed = dialect === "sqlite" ? "json_each(?)" : "jsonb_array_elements_text(?::jsonb) AS value";
  return {
    readState: statement(dialect, "SELECT state FROM notetaker_accounts WHERE account = ?"),
    readMemory: both(`SELECT id, memory FROM t WHERE account = ? AND id IN (SELECT value FROM ${listed})`),
    due: both(
      `SELECT id, due_at FROM t WHERE account = ? AND due_at <= CAST(? AS ${time})`,
      " ORDER BY due_at, id LIMIT CAST(? AS integer)",
    ),
    ids: both("SELECT id FROM t WHERE account = ? AND id > ?", " ORDER BY id LIMIT CAST(? AS integer)"),
  };
}
