/** Fetches a piece of a meeting. What can be read of an invalid piece is returned, with its issue. */
import * as z from "zod/mini";
import { documentBytes } from "../documents/document-bytes.js";
import { ResponseValidationError } from "../errors/call-errors.js";
import { issueText } from "../errors/one-line.js";
import { isRecord } from "../json/is-record.js";
import type { RecordingDownload } from "../media/download/download-recording.js";
import { type Document, type DocumentFormat, documentSchema } from "../schemas/document.js";
import type { Transcript } from "../schemas/transcript.js";
import { ApiPromise } from "../transport/api-promise.js";
import type { MeetingClient } from "./meeting-list.js";
import { type Gap, invalidGap, type Piece } from "./pieces.js";
import { firstIssue, readTranscript } from "./rows.js";

/** What was received of a piece. */
export interface FetchedPiece {
  readonly transcript?: Transcript | undefined;
  readonly document?: Document | undefined;
  readonly recording?: RecordingDownload | undefined;
  /** Why the piece is not, or not wholly, what was requested. */
  readonly gap?: Gap | undefined;
}

/** The status while the service makes the piece. */
export const ACCEPTED = 202;

/** Throws what the client throws. */
export async function fetchPiece(
  { meetings, documents }: MeetingClient,
  meetingId: string,
  piece: Piece,
  signal: AbortSignal,
): Promise<FetchedPiece> {
  if (piece.kind === "recording") return { recording: await meetings.downloadRecording(meetingId, { signal }) };
  const { body, status, error } = await responseOf(() =>
    piece.kind === "transcript"
      ? meetings.getTranscript(meetingId, { signal })
      : documents.get(piece.id, { format: piece.format }, { signal }),
  );
  if (status === ACCEPTED) {
    return { gap: { reason: "not_ready", status, retryable: true, message: "the service is still making it" } };
  }
  const { issue, ...read } = piece.kind === "transcript" ? readTranscript(body) : readDocument(body, piece);
  if (issue === undefined) return read;
  const gap = invalidGap(issue);
  // What is not even an object is no piece, but for example the page of a proxy.
  return { ...read, gap: isRecord(body) ? gap : { ...gap, reason: "failed", message: error?.message ?? issue } };
}

/** The response, also if its body does not match its schema. Any other error is thrown. */
async function responseOf(
  call: () => Promise<unknown>,
): Promise<{ body: unknown; status: number | undefined; error?: ResponseValidationError }> {
  try {
    const calling = call();
    // A fake may return a plain promise.
    if (!(calling instanceof ApiPromise)) return { body: await calling, status: undefined };
    const { data, response } = await calling.withResponse();
    return { body: data, status: response.status };
  } catch (error) {
    if (error instanceof ResponseValidationError) return { body: error.body, status: error.status, error };
    throw error;
  }
}

/**
 * A document is invalid, too, if its content cannot be read in its format. One of another format is none. A store finds it
 * again by the id under which it was requested.
 */
function readDocument(received: unknown, { id, format }: { id: string; format: DocumentFormat }) {
  const result = documentBytes(received, format);
  const isDocument = isRecord(received) && received.format === format;
  const document = isDocument ? ({ ...received, id } as unknown as Document) : undefined;
  const { error } = z.safeParse(documentSchema, received);
  return { document, issue: "issue" in result ? issueText(result.issue) : firstIssue(error, received) };
}
