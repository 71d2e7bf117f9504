/** The statements of a write. */
import { type Columns, DOCUMENT_COLUMNS, ITEM_COLUMNS, MEETING_COLUMNS } from "./rows.js";
import { type Dialect, statement, writeStatement } from "./statements.js";
import { WORDS } from "./tables.js";

const KEY = { id: "text" } as const satisfies Columns;
const KNOWN = { ...KEY, before: "text" } as const satisfies Columns;

const isSame = "m.account = a.account AND m.id =";

/** The first statement of each write: it makes the writes of an account wait for each other. */
export function firstStatements(dialect: Dialect) {
  const { inThreeMinutes, time } = WORDS[dialect];
  return {
    beginWrite: statement(
      dialect,
      `INSERT INTO notetaker_accounts AS a (account, state, next_at, version)
      VALUES (?, ?, CAST(? AS ${time}), 1)
      ON CONFLICT (account) DO UPDATE SET state = coalesce(excluded.state, a.state),
        next_at = coalesce(excluded.next_at, a.next_at), version = a.version + 1
      RETURNING account`,
    ),
    beginWriteWithLease: statement(
      dialect,
      `UPDATE notetaker_accounts SET state = coalesce(?, state),
        next_at = coalesce(CAST(? AS ${time}), next_at), version = version + 1,
        held_until = ${inThreeMinutes}
      WHERE account = ? AND owner = ? RETURNING account`,
    ),
  };
}

/** A row of meetings as it is stored: `r` is the new row, `m` the one before. */
function writeMeetings(): string {
  const meetingColumns = Object.keys(MEETING_COLUMNS);
  const kept = meetingColumns.map((name) => `CASE WHEN r.meeting IS NULL THEN m.${name} ELSE r.${name} END`);
  const updated = [...meetingColumns, "transcript", "missing", "complete", "gone", "memory", "due_at", "version"];
  return `INSERT INTO notetaker_meetings (account, id, ${updated.join(", ")})
      SELECT a.account, r.id, ${kept.join(", ")}, coalesce(r.transcript, m.transcript), r.missing, r.complete, r.gone,
        r.memory, r.due_at,
        CASE WHEN m.id IS NULL OR r.touched OR r.missing IS DISTINCT FROM m.missing OR r.gone IS DISTINCT FROM m.gone
          OR coalesce(r.meeting, m.meeting) IS DISTINCT FROM m.meeting THEN a.version ELSE m.version END
      FROM a CROSS JOIN r
      LEFT JOIN notetaker_meetings AS m ON ${isSame} r.id
      LEFT JOIN notetaker_pending AS p ON p.account = a.account AND p.id = r.id
      WHERE coalesce(r.meeting, m.meeting) IS NOT NULL AND coalesce(m.memory, p.memory) IS NOT DISTINCT FROM r.before
      ON CONFLICT (account, id) DO UPDATE SET ${updated.map((name) => `${name} = excluded.${name}`).join(", ")}
      RETURNING id`;
}

export function writeStatements(dialect: Dialect) {
  const write = (columns: Columns, sql: string) => writeStatement(dialect, columns, sql);
  return {
    writeMeetings: write(ITEM_COLUMNS, writeMeetings()),
    writePending: write(
      ITEM_COLUMNS,
      `INSERT INTO notetaker_pending (account, id, memory, due_at)
      SELECT a.account, r.id, r.memory, r.due_at FROM a CROSS JOIN r
      LEFT JOIN notetaker_meetings AS m ON ${isSame} r.id
      LEFT JOIN notetaker_pending AS p ON p.account = a.account AND p.id = r.id
      WHERE m.id IS NULL AND p.memory IS NOT DISTINCT FROM r.before
      ON CONFLICT (account, id) DO UPDATE SET memory = excluded.memory, due_at = excluded.due_at
      RETURNING id`,
    ),
    removeListed: write(
      KEY,
      `DELETE FROM notetaker_pending WHERE (account, id) IN (
        SELECT m.account, m.id FROM a CROSS JOIN r CROSS JOIN notetaker_meetings AS m WHERE ${isSame} r.id
      )`,
    ),
    // A meeting with changed documents has the version of this write, if it was written.
    removeDocuments: write(
      { ...KEY, meeting_id: "text" },
      `DELETE FROM notetaker_documents WHERE (account, meeting_id, id) IN (
        SELECT m.account, m.id, r.id FROM a CROSS JOIN r CROSS JOIN notetaker_meetings AS m
        WHERE ${isSame} r.meeting_id AND m.version = a.version
      )`,
    ),
    writeDocuments: write(
      DOCUMENT_COLUMNS,
      `INSERT INTO notetaker_documents (account, meeting_id, id, format, title, created_at, content, version)
      SELECT a.account, r.meeting_id, r.id, r.format, r.title, r.created_at, r.content, a.version
      FROM a CROSS JOIN r CROSS JOIN notetaker_meetings AS m
      WHERE ${isSame} r.meeting_id AND m.version = a.version
      ON CONFLICT (account, meeting_id, id, format) DO UPDATE SET title = excluded.title,
        created_at = excluded.created_at, content = excluded.content, version = excluded.version`,
    ),
    /** Meetings and pending ids, and then the documents of meetings that are no longer there. */
    remove: [
      ...["notetaker_meetings", "notetaker_pending"].map((table) =>
        write(
          KNOWN,
          `DELETE FROM ${table} WHERE (account, id, memory) IN (SELECT a.account, r.id, r.before FROM a CROSS JOIN r)
          RETURNING id`,
        ),
      ),
      write(
        KEY,
        `DELETE FROM notetaker_documents WHERE (account, meeting_id) IN (
          SELECT a.account, r.id FROM a CROSS JOIN r LEFT JOIN notetaker_meetings AS m ON ${isSame} r.id
          WHERE m.id IS NULL
        )`,
      ),
    ],
  };
}
