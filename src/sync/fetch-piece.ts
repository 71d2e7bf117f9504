/** Fetches a piece of a meeting. */
import type { RecordingDownload } from "../media/download/download-recording.js";
import type { Document } from "../schemas/document.js";
import type { Transcript } from "../schemas/transcript.js";
import type { MeetingClient } from "./meeting-client.js";
import { type Gap, invalidGap, nameOf, type Piece } from "./pieces.js";
import { requestDocument, requestTranscript } from "./received.js";

/** What was received of a piece. */
export interface FetchedPiece {
  readonly transcript?: Transcript | undefined;
  readonly document?: Document | undefined;
  readonly recording?: RecordingDownload | undefined;
  /** How the piece does not match the API specification. Nothing, or a part of it, was received. */
  readonly missing?: Gap | undefined;
}

/** Throws what the client throws. What can be read of an invalid piece is returned, with its issue in `missing`. */
export async function fetchPiece(
  client: MeetingClient,
  meetingId: string,
  piece: Piece,
  signal: AbortSignal,
): Promise<FetchedPiece> {
  if (piece.kind === "recording") {
    return { recording: await client.meetings.downloadRecording(meetingId, { signal }) };
  }
  const missingFor = (issue: string | undefined) => issue && invalidGap(nameOf(piece), issue);
  if (piece.kind === "transcript") {
    const { transcript, issue } = await requestTranscript(client, meetingId, signal);
    return { transcript, missing: missingFor(issue) || undefined };
  }
  const { received, issue } = await requestDocument(client, piece.id, piece.format, signal);
  const document = received.format === piece.format ? (received as unknown as Document) : undefined;
  return { document, missing: missingFor(issue) || undefined };
}
