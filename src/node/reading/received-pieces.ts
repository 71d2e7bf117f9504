/** Requests transcripts and documents. An invalid one is read as far as possible, and keeps its issue. */
import * as z from "zod/mini";
import { ResponseValidationError } from "../../errors/call-errors.js";
import { isRecord } from "../../json/is-record.js";
import { type DocumentFormat, documentSchema } from "../../schemas/document.js";
import { formatIssues } from "../../schemas/format-issues.js";
import { type Transcript, transcriptSchema } from "../../schemas/transcript.js";
import { documentBytes, isOfAnotherFormat } from "../files/document-bytes.js";
import { issueText } from "./meeting-row.js";
import type { MeetingClient } from "./pace.js";

/** A transcript or a document as it was received. */
interface ReceivedPiece {
  received: Record<string, unknown>;
  /** How it does not match the API specification. */
  issue: string | undefined;
}

export interface ReceivedTranscript extends ReceivedPiece {
  /** The readable part; `undefined` if there is no list of segments. */
  transcript: Transcript | undefined;
}

export interface ReceivedDocument extends ReceivedPiece {
  /** The content of its file; `undefined` if it cannot be read. */
  bytes: Uint8Array | undefined;
}

/** A segment that is not an object is left out; every other segment is kept. */
export async function requestTranscript(
  { meetings }: MeetingClient,
  meetingId: string,
  signal: AbortSignal,
): Promise<ReceivedTranscript> {
  const received = await bodyOf(() => meetings.getTranscript(meetingId, { signal }));
  const { data, error } = z.safeParse(transcriptSchema, received);
  const issue = firstIssue(error, received);
  if (!isRecord(received)) throw new Error(issue);
  return { transcript: data ?? readableTranscript(received), received, issue };
}

/** A document of another format is an error. */
export async function requestDocument(
  { documents }: MeetingClient,
  documentId: string,
  format: DocumentFormat,
  signal: AbortSignal,
): Promise<ReceivedDocument> {
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
