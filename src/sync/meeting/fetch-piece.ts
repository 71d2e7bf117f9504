/** Fetches a piece of a meeting. What can be read of an invalid piece is returned, with its issue. */
import * as z from "zod/mini";
import { documentBytes } from "../../documents/document-bytes.js";
import { ResponseValidationError } from "../../errors/call-errors.js";
import { isRecord } from "../../json/is-record.js";
import type { RecordingDownload } from "../../media/download/download-recording.js";
import { type Document, type DocumentFormat, documentSchema } from "../../schemas/document.js";
import type { Transcript } from "../../schemas/transcript.js";
import type { MeetingClient } from "../list/meeting-client.js";
import { firstIssue, issueText, readTranscript } from "../list/received.js";
import { type Gap, invalidGap, nameOf, type Piece } from "./pieces.js";

/** What was received of a piece. */
export interface FetchedPiece {
  readonly transcript?: Transcript | undefined;
  readonly document?: Document | undefined;
  readonly recording?: RecordingDownload | undefined;
  /** How the piece does not match the API specification. Nothing, or a part of it, was received. */
  readonly missing?: Gap | undefined;
}

/** Throws what the client throws. */
export async function fetchPiece(
  { meetings, documents }: MeetingClient,
  meetingId: string,
  piece: Piece,
  signal: AbortSignal,
): Promise<FetchedPiece> {
  if (piece.kind === "recording") return { recording: await meetings.downloadRecording(meetingId, { signal }) };
  const body = await bodyOf(() =>
    piece.kind === "transcript"
      ? meetings.getTranscript(meetingId, { signal })
      : documents.get(piece.id, { format: piece.format }, { signal }),
  );
  const { issue, ...read } = piece.kind === "transcript" ? readTranscript(body) : readDocument(body, piece);
  if (issue === undefined) return read;
  const missing = invalidGap(nameOf(piece), issue);
  // What is not even an object may come later.
  return { ...read, missing: isRecord(body) ? missing : { ...missing, reason: "failed" } };
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
