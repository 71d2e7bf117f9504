/**
 * Reads rows of the meeting list, transcripts and documents. The valid parts of invalid data are
 * read, and its issue is kept.
 */
import * as z from "zod/mini";
import { formatIssues, type IssueInit } from "../checks/format-issues.js";
import { documentBytes, isOfAnotherFormat } from "../documents/document-bytes.js";
import { ResponseValidationError } from "../errors/call-errors.js";
import { isRecord } from "../json/is-record.js";
import { orUndefined } from "../json/or-undefined.js";
import { type DocumentFormat, documentSchema } from "../schemas/document.js";
import { documentId } from "../schemas/id-schemas.js";
import { isMeetingId } from "../schemas/ids.js";
import { type Meeting, meetingSchema } from "../schemas/meeting.js";
import { type Transcript, transcriptSchema } from "../schemas/transcript.js";
import { lenient } from "./lenient.js";
import type { MeetingClient } from "./meeting-client.js";

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
const issueText = ({ path, message }: IssueInit): string => `${path}: ${message}`;

const TOO_DEEP = "meeting: it is nested too deeply to be written as JSON";

const lenientMeeting = /* @__PURE__ */ lenient(meetingSchema);
const lenientTranscript = /* @__PURE__ */ lenient(transcriptSchema);

/** The valid parts of a meeting. A document without a valid id cannot be requested, so it is left out. */
function readMeeting(received: unknown): Meeting {
  const meeting = z.parse(lenientMeeting, received) as Meeting;
  return { ...meeting, documents: meeting.documents?.filter(({ id }) => z.safeParse(documentId, id).success) ?? null };
}

/**
 * The readable part of a transcript; `undefined` if there is no list of segments. A segment that is not an object is
 * left out; every other segment is kept.
 */
export function readTranscript(received: unknown): Transcript | undefined {
  const { data } = z.safeParse(transcriptSchema, received);
  if (data !== undefined || !isRecord(received) || !Array.isArray(received.segments)) return data;
  return z.parse(lenientTranscript, received) as Transcript;
}

/** A piece as it was received, and how it does not match the API specification. */
interface ReceivedPiece {
  received: Record<string, unknown>;
  issue: string | undefined;
}

/** The readable part of a transcript, and how the transcript does not match the API specification. */
export async function requestTranscript(
  { meetings }: MeetingClient,
  meetingId: string,
  signal: AbortSignal,
): Promise<ReceivedPiece & { transcript: Transcript | undefined }> {
  const received = await bodyOf(() => meetings.getTranscript(meetingId, { signal }));
  const { data, error } = z.safeParse(transcriptSchema, received);
  const issue = firstIssue(error, received);
  if (!isRecord(received)) throw new EmptyAnswerError(issue);
  return { transcript: data ?? readTranscript(received), received, issue };
}

/** The content of a document's file; `undefined` if it cannot be read. A document of another format is an error. */
export async function requestDocument(
  { documents }: MeetingClient,
  documentId: string,
  format: DocumentFormat,
  signal: AbortSignal,
): Promise<ReceivedPiece & { bytes: Uint8Array | undefined }> {
  const received = await bodyOf(() => documents.get(documentId, { format }, { signal }));
  const result = documentBytes(received, format);
  const issue =
    "issue" in result ? issueText(result.issue) : firstIssue(z.safeParse(documentSchema, received).error, received);
  if (!isRecord(received)) throw new EmptyAnswerError(issue);
  if (isOfAnotherFormat(received, format)) throw new WrongAnswerError(issue);
  return { received, bytes: "bytes" in result ? result.bytes : undefined, issue };
}

/** A response with status 200 that is not an object: the piece may come later. */
export class EmptyAnswerError extends Error {
  readonly status = 200;
}

/** A response with status 200 that is another piece than the requested one. */
export class WrongAnswerError extends Error {
  readonly status = 200;
}

/** The body of the response, also of one that does not match its schema. Any other error is thrown. */
async function bodyOf(call: () => Promise<unknown>): Promise<unknown> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof ResponseValidationError && typeof error.body === "object") return error.body;
    throw error;
  }
}

function firstIssue(error: z.core.$ZodError | undefined, received: unknown): string | undefined {
  const [issue] = error === undefined ? [] : formatIssues(error.issues, received);
  return issue && issueText(issue);
}
