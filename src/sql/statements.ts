/** All statements but those that make the tables. `?` is a parameter. */
import { type Columns, rowsOf, type Syntax } from "./syntax.js";
import { SCHEMA } from "./tables.js";

/** What stays as it is stored if an item has no row of the list. */
const LISTED = ["title", "status", "source", "start_time", "started_at", "duration", "meeting"];

/** A row of meetings as it is stored: `d` is the new row, `m` the one before. */
function writeMeetings({ now }: Syntax): string {
  const values: Readonly<Record<string, string>> = {
    ...Object.fromEntries(
      LISTED.map((name) => [name, `CASE WHEN d.meeting IS NULL THEN m.${name} ELSE d.${name} END`]),
    ),
    has_recording: "coalesce(d.has_recording, m.has_recording)",
    missing: "d.missing",
    complete: "d.complete",
    gone: "d.gone",
  };
  const seen = ["meeting", "has_recording", "missing", "gone"];
  const isSame = seen.map((name) => `${values[name]} IS NOT DISTINCT FROM m.${name}`).join(" AND ");
  const names = [...Object.keys(values), "version"];
  return `INSERT INTO notetaker_meetings AS t (account, id, ${names.join(", ")}, changed_at)
    SELECT d.account, d.id, ${Object.values(values).join(", ")},
      CASE WHEN m.id IS NOT NULL AND NOT d.touched AND ${isSame} THEN m.version ELSE d.version END, ${now}
    FROM d LEFT JOIN notetaker_meetings AS m ON m.account = d.account AND m.id = d.id
    WHERE coalesce(d.meeting, m.meeting) IS NOT NULL
    ON CONFLICT (account, id) DO UPDATE SET ${names.map((name) => `${name} = excluded.${name}`).join(", ")},
      changed_at = CASE WHEN t.version = excluded.version THEN t.changed_at ELSE excluded.changed_at END`;
}

export function statementsOf(syntax: Syntax) {
  const { texts, types, isoTime, leaseEnd, now } = syntax;
  const time = `CAST(? AS ${types.time})`;
  const isHeld = "account = ? AND holder IS NOT DISTINCT FROM coalesce(?, holder)";
  /**
   * A statement of a write, about the rows `d`. Its parameters are the account, the holder of the lease (or NULL) and rows
   * with an `id` and a `before`. `d` lacks the rows whose `before` is not the stored memory of the meeting. It is empty if
   * the lease was lost.
   */
  const write = (columns: Columns, sql: string) =>
    `WITH a AS MATERIALIZED (SELECT account, version FROM notetaker_accounts WHERE ${isHeld}),
      r AS MATERIALIZED (${rowsOf(syntax, columns)}), d AS (
        SELECT a.account, a.version, r.* FROM a CROSS JOIN r
        LEFT JOIN notetaker_memory AS known ON known.account = a.account AND known.id = r.id
        WHERE known.memory IS NOT DISTINCT FROM r.before
      ) ${sql}`;
  const ofMeetings = "(SELECT account, id FROM d)";
  const statements = {
    readState: "SELECT state FROM notetaker_accounts WHERE account = ?",
    readMemory: `SELECT id, memory FROM notetaker_memory WHERE account = ? AND id IN (${texts})`,
    due: `SELECT id FROM notetaker_memory WHERE account = ? AND due_at <= ${time}
      ORDER BY due_at, id LIMIT CAST(? AS integer)`,
    ids: "SELECT id FROM notetaker_memory WHERE account = ? AND id > ? ORDER BY id LIMIT CAST(? AS integer)",

    addAccount: `INSERT INTO notetaker_accounts (account, version, schema) VALUES (?, 0, ${SCHEMA})
      ON CONFLICT (account) DO NOTHING`,
    // An end that is further ahead than a lease lasts is of a clock that was set back.
    takeLease: `UPDATE notetaker_accounts SET holder = ?, held_until = ${leaseEnd}
      WHERE account = ? AND (holder IS NULL OR held_until <= ${now} OR held_until > ${leaseEnd}) RETURNING account`,
    readLease: `SELECT ${isoTime("held_until")} AS held_until FROM notetaker_accounts WHERE account = ?`,
    renewLease: `UPDATE notetaker_accounts SET held_until = ${leaseEnd} WHERE account = ? AND holder = ?
      RETURNING account`,
    endLease: "UPDATE notetaker_accounts SET holder = NULL, held_until = NULL WHERE account = ? AND holder = ?",

    /** The first statement of each write: it makes the writes of an account wait for each other. */
    beginWrite: `UPDATE notetaker_accounts SET state = coalesce(?, state), version = version + 1,
        next_at = coalesce(${time}, next_at), held_until = CASE WHEN ? IS NULL THEN held_until ELSE ${leaseEnd} END
      WHERE ${isHeld} RETURNING account`,
    writeHealth: `UPDATE notetaker_accounts SET polled_at = ${time}, failing_since = ${time}, error = ?
      WHERE ${isHeld}`,
    writeMeetings: write(
      {
        ...{ text: "title status source start_time", time: "started_at", number: "duration" },
        ...{ json: "meeting missing", flag: "has_recording complete gone touched" },
      },
      writeMeetings(syntax),
    ),
    /** A parameter of its own: as a part of a JSON list, a long transcript would be held four times. */
    writeTranscript: write(
      {},
      `UPDATE notetaker_meetings SET transcript = ${syntax.fromText("?")} WHERE (account, id) IN ${ofMeetings}`,
    ),
    removeDocuments: write(
      { text: "document_id" },
      "DELETE FROM notetaker_documents WHERE (account, meeting_id, id) IN (SELECT account, id, document_id FROM d)",
    ),
    writeDocuments: write(
      { text: "document_id format title kind created_at content" },
      `INSERT INTO notetaker_documents (account, meeting_id, id, format, title, kind, created_at, content, version)
      SELECT d.account, d.id, d.document_id, d.format, d.title, d.kind, d.created_at, d.content, d.version
      FROM d JOIN notetaker_meetings AS m ON m.account = d.account AND m.id = d.id WHERE true
      ON CONFLICT (account, meeting_id, id, format) DO UPDATE SET title = excluded.title, kind = excluded.kind,
        created_at = excluded.created_at, content = excluded.content, version = excluded.version`,
    ),
    removeAllDocuments: write({}, `DELETE FROM notetaker_documents WHERE (account, meeting_id) IN ${ofMeetings}`),
    removeMeetings: write({}, `DELETE FROM notetaker_meetings WHERE (account, id) IN ${ofMeetings}`),
    /** This and the next return the ids of the meetings that were written. */
    removeMemory: write({}, `DELETE FROM notetaker_memory WHERE (account, id) IN ${ofMeetings} RETURNING id`),
    writeMemory: write(
      { text: "memory", time: "due_at" },
      `INSERT INTO notetaker_memory (account, id, memory, due_at) SELECT account, id, memory, due_at FROM d WHERE true
      ON CONFLICT (account, id) DO UPDATE SET memory = excluded.memory, due_at = excluded.due_at RETURNING id`,
    ),
  };
  const written = Object.entries(statements).map(([name, sql]) => [name, syntax.statement(sql)] as const);
  return Object.fromEntries(written) as typeof statements;
}
