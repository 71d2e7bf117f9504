/**
 * Reads rows of the meeting list, transcripts and documents. What is invalid is read as far as possible, and keeps its
 * issue.
 */
import * as z from "zod/mini";
import { ResponseValidationError } from "../../errors/call-errors.js";
import { isRecord } from "../../json/is-record.js";
import { orUndefined } from "../../json/or-undefined.js";
import { type DocumentFormat, documentSchema } from "../../schemas/document.js";
import { formatIssues, type Issue } from "../../schemas/format-issues.js";
import { ID_PREFIXES, isMeetingId } from "../../schemas/ids.js";
import { type Meeting, meetingSchema } from "../../schemas/meeting.js";
import { type Transcript, transcriptSchema } from "../../schemas/transcript.js";
import { documentBytes, isOfAnotherFormat } from "../files/save-document.js";
import type { MeetingClient } from "./pace.js";

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
  // `JSON.stringify` is recursive, so it throws for a deeply nested value.
  const fits = orUndefined(() => JSON.stringify(received)) !== undefined;
  if (data !== undefined && fits) return { meeting: data, received, issue: undefined };
  const meeting = readableMeeting(received);
  const [issue = TOO_DEEP] = error === undefined ? [] : formatIssues(error.issues, received);
  return { meeting, received: fits ? received : meeting, issue: issueText(issue) };
}

/** The text of a validation issue, as `missing` reports it: `segments[0]: expected an object, received null`. */
export const issueText = ({ path, message }: Issue): string => `${path}: ${message}`;

const TOO_DEEP: Issue = { path: "meeting", message: "it is nested too deeply to be written as JSON" };

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

/** A piece as it was received, and how it does not match the API specification. */
interface ReceivedPiece {
  received: Record<string, unknown>;
  issue: string | undefined;
}

/**
 * The readable part of a transcript; `undefined` if there is no list of segments. A segment that is not an object is
 * left out; every other segment is kept.
 */
export async function requestTranscript(
  { meetings }: MeetingClient,
  meetingId: string,
  signal: AbortSignal,
): Promise<ReceivedPiece & { transcript: Transcript | undefined }> {
  const received = await bodyOf(() => meetings.getTranscript(meetingId, { signal }));
  const { data, error } = z.safeParse(transcriptSchema, received);
  const issue = firstIssue(error, received);
  if (!isRecord(received)) throw new Error(issue);
  return { transcript: data ?? readableTranscript(received), received, issue };
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
  if (!isRecord(received) || isOfAnotherFormat(received, format)) throw new Error(issue);
  return { received, bytes: "bytes" in result ? result.bytes : undefined, issue };
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

function readableTranscript({ segments, speakers, ...rest }: Record<string, unknown>): Transcript | undefined {
  if (!Array.isArray(segments)) return undefined;
  return {
    ...rest,
    meeting_id: text(rest.meeting_id) as Transcript["meeting_id"],
    language: text(rest.language),
    speakers: (Array.isArray(speakers) ? speakers : [])
      .filter(isRecord)
      .map(({ id, name }) => ({ id: text(id) as Transcript["speakers"][number]["id"], name: text(name) })),
    segments: segments.filter(isRecord).map((segment) => ({
      ...segment,
      speaker_id: text(segment.speaker_id) as Transcript["segments"][number]["speaker_id"],
      start_time: seconds(segment.start_time),
      end_time: seconds(segment.end_time),
      text: text(segment.text),
    })),
  };
}

const text = (value: unknown) => (typeof value === "string" ? value : "");
/** The functions of `notetaker-sdk/transcript` treat `NaN` as a missing time. */
const seconds = (value: unknown) => (typeof value === "number" ? value : Number.NaN);
