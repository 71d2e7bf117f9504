/** Reads a row of the meeting list. An invalid row is read as far as possible, and keeps its issue. */
import * as z from "zod/mini";
import { isRecord } from "../../json/is-record.js";
import { formatIssues, type Issue } from "../../schemas/format-issues.js";
import { ID_PREFIXES, isMeetingId } from "../../schemas/ids.js";
import { type Meeting, meetingSchema } from "../../schemas/meeting.js";

/** A row of the meeting list. */
export interface MeetingRow {
  /** The meeting with the fields that the export needs. An invalid field is empty. */
  meeting: Meeting;
  /** The row as it was received, or `meeting` if the row cannot be serialised as JSON. */
  received: unknown;
  /** How the row does not match the API specification. */
  issue: string | undefined;
}

/** Reads the valid fields of a row, or returns `undefined` if the row has no meeting id. */
export function readRow(received: unknown): MeetingRow | undefined {
  if (!isRecord(received) || !isMeetingId(received.id)) return undefined;
  const { data, error } = z.safeParse(meetingSchema, received);
  const fits = isSerialisable(received);
  if (data !== undefined && fits) return { meeting: data, received, issue: undefined };
  const meeting = readableMeeting(received);
  const [issue = TOO_DEEP] = error === undefined ? [] : formatIssues(error.issues, received);
  return { meeting, received: fits ? received : meeting, issue: issueText(issue) };
}

/** The text of a validation issue, as `missing` reports it: `segments[0]: expected an object, received null`. */
export const issueText = ({ path, message }: Issue): string => `${path}: ${message}`;

const TOO_DEEP: Issue = { path: "meeting", message: "it is nested too deeply to be written as JSON" };

/** `JSON.stringify` is recursive, so a deeply nested value overflows the stack. */
function isSerialisable(value: unknown): boolean {
  try {
    JSON.stringify(value);
    return true;
  } catch {
    return false;
  }
}

function readableMeeting(row: Record<string, unknown>): Meeting {
  const { duration, host, participants, documents } = row;
  return {
    id: row.id as Meeting["id"],
    title: textOrNull(row.title),
    status: textOrNull(row.status) ?? "",
    source: textOrNull(row.source) ?? "",
    start_time: textOrNull(row.start_time) ?? "",
    duration: Number.isInteger(duration) ? (duration as number) : null,
    end_time: textOrNull(row.end_time),
    host: isRecord(host) ? withTexts(host, ["id", "name", "email"]) : null,
    participants: Array.isArray(participants)
      ? participants.filter(isRecord).map((person) => withTexts(person, ["name", "email", "title", "company"]))
      : null,
    documents: Array.isArray(documents)
      ? documents.filter(isDocumentReference).map((document) => ({
          id: document.id,
          title: textOrNull(document.title),
          created_at: textOrNull(document.created_at),
        }))
      : null,
    created_at: textOrNull(row.created_at),
  };
}

const textOrNull = (value: unknown): string | null => (typeof value === "string" ? value : null);

const withTexts = (value: Record<string, unknown>, fields: readonly string[]): Record<string, string | null> =>
  Object.fromEntries(fields.map((field) => [field, textOrNull(value[field])]));

type DocumentReference = NonNullable<Meeting["documents"]>[number];

const isDocumentReference = (value: unknown): value is Record<string, unknown> & Pick<DocumentReference, "id"> =>
  isRecord(value) && typeof value.id === "string" && value.id.startsWith(ID_PREFIXES.documentId);
