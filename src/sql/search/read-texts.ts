/** Reads the texts of meetings: to index them, and to show what was found. */
import type { StoredAccount } from "../stored-account.js";

/** A text of a meeting, with what is known of the meeting. */
export interface StoredText {
  readonly id: string;
  readonly version: number | string;
  readonly title: string | null;
  readonly start_time: string | null;
  readonly status: string | null;
  readonly gone: number | boolean;
  /** `""` for the transcript. */
  readonly document_id: string;
  readonly document_title: string | null;
  /** `""` for the transcript. */
  readonly format: string;
  readonly content: string | null;
}

/** The key of a text in {@link readTexts}. */
export const textKey = (meetingId: string, documentId: string) => JSON.stringify([meetingId, documentId]);

/** The transcript of each meeting, also of one without, and each document: in several formats, as the last of them. */
export async function readTexts(
  { driver, syntax, account }: StoredAccount,
  meetingIds: readonly string[],
): Promise<ReadonlyMap<string, StoredText>> {
  const meeting = "m.id, m.version, m.title, m.start_time, m.status, m.gone";
  const isWanted = `m.account = ? AND m.id IN (${syntax.texts})`;
  const sql = `SELECT ${meeting}, '' AS document_id, NULL AS document_title, '' AS format,
      CAST(m.transcript AS text) AS content FROM notetaker_meetings AS m WHERE ${isWanted}
    UNION ALL SELECT ${meeting}, d.id, d.title, d.format, d.content FROM notetaker_meetings AS m
      JOIN notetaker_documents AS d ON d.account = m.account AND d.meeting_id = m.id
      WHERE ${isWanted} AND d.format IN ('html', 'markdown', 'raw') ORDER BY format`;
  const wanted = [account, JSON.stringify(meetingIds)];
  const texts = (await driver.all(syntax.statement(sql), [...wanted, ...wanted])) as readonly StoredText[];
  return new Map(texts.map((text) => [textKey(text.id, text.document_id), text]));
}
