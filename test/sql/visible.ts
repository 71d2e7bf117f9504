/** What a user reads in the tables. */
import type { VisibleMeeting } from "../sync/store/store-contract.js";

export type Query = (sql: string) => Promise<Record<string, unknown>[]>;

const parsed = (json: unknown) => (typeof json === "string" ? JSON.parse(json) : json);

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;

export async function readMeeting(query: Query, id: string, account = ""): Promise<VisibleMeeting | undefined> {
  const ofAccount = `account = ${quote(account)}`;
  const [row] = await query(`SELECT * FROM notetaker_meetings WHERE ${ofAccount} AND id = ${quote(id)}`);
  if (row === undefined) return undefined;
  const documents = await query(
    `SELECT id, title, format, content, created_at FROM notetaker_documents
      WHERE ${ofAccount} AND meeting_id = ${quote(id)}`,
  );
  return {
    meeting: parsed(row.meeting),
    transcript: row.transcript === null ? undefined : parsed(row.transcript),
    documents: documents as unknown as VisibleMeeting["documents"],
    missing: parsed(row.missing),
    isGone: row.gone === true || row.gone === 1,
  };
}
