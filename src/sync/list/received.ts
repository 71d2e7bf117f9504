/** Reads rows of the meeting list, and transcripts. The valid parts of invalid data are read, and its issue is kept. */
import * as z from "zod/mini";
import { formatIssues, type IssueInit } from "../../checks/format-issues.js";
import { isRecord } from "../../json/is-record.js";
import { orUndefined } from "../../json/or-undefined.js";
import { documentId } from "../../schemas/id-schemas.js";
import { isMeetingId } from "../../schemas/ids.js";
import { type Meeting, meetingSchema } from "../../schemas/meeting.js";
import { type Transcript, transcriptSchema } from "../../schemas/transcript.js";
import { lenient } from "./lenient.js";

export interface MeetingRow {
  /** The meeting with the fields that a run needs. An invalid field is empty. */
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
  // `JSON.stringify` is recursive, so it throws for a deeply nested value.
  const fits = orUndefined(() => JSON.stringify(received)) !== undefined;
  if (data !== undefined && fits) return { meeting: data, received, issue: undefined };
  const meeting = readMeeting(received);
  return { meeting, received: fits ? received : meeting, issue: firstIssue(error, received) ?? TOO_DEEP };
}

/** The text of a validation issue, as `missing` reports it: `segments[0]: expected an object, received null`. */
export const issueText = ({ path, message }: IssueInit): string => `${path}: ${message}`;

const TOO_DEEP = "meeting: it is nested too deeply to be written as JSON";

const lenientMeeting = /* @__PURE__ */ lenient(meetingSchema);
const lenientTranscript = /* @__PURE__ */ lenient(transcriptSchema);

/** The valid parts of a meeting. A document without a valid id cannot be requested, so it is left out. */
function readMeeting(received: unknown): Meeting {
  const meeting = z.parse(lenientMeeting, received) as Meeting;
  return { ...meeting, documents: meeting.documents?.filter(({ id }) => z.safeParse(documentId, id).success) ?? null };
}

/**
 * The readable part of a transcript, and its issue. There is none without a list of segments. A segment that is not an
 * object is left out; every other segment is kept.
 */
export function readTranscript(received: unknown): { transcript: Transcript | undefined; issue: string | undefined } {
  const { data, error } = z.safeParse(transcriptSchema, received);
  const isReadable = isRecord(received) && Array.isArray(received.segments);
  const transcript = data ?? (isReadable ? (z.parse(lenientTranscript, received) as Transcript) : undefined);
  return { transcript, issue: firstIssue(error, received) };
}

export function firstIssue(error: z.core.$ZodError | undefined, received: unknown): string | undefined {
  const [issue] = error === undefined ? [] : formatIssues(error.issues, received);
  return issue && issueText(issue);
}
