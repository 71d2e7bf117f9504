import { throwIfAborted } from "../async/abort.js";
import { UnauthorizedError } from "../errors/api-error.js";
import { ConnectionError } from "../errors/call-errors.js";
import { isRateLimited } from "../errors/is-temporary.js";
import type { Document } from "../schemas/document.js";
import { MEETING_STATUSES, type Meeting } from "../schemas/meeting.js";
import type { Transcript } from "../schemas/transcript.js";
import { type FetchedPiece, fetchPiece } from "../sync/fetch-piece.js";
import type { MeetingClient } from "../sync/meeting-list.js";
import {
  documentPieces,
  gapOf,
  invalidGap,
  type MissingPiece,
  missingPiece,
  nameOf,
  type Piece,
  withoutPieces,
} from "../sync/pieces.js";
import type { MeetingRow } from "../sync/rows.js";
import type { WantedFormats } from "./walk-options.js";

/** A meeting with its transcript and documents, as `walkMeetings` yields it. */
export interface WalkedMeeting {
  /** The meeting from the list. An invalid field is empty, and named in `missing`. */
  meeting: Meeting;
  /** `undefined` if it is missing or was not requested. */
  transcript: Transcript | undefined;
  /** Each document in each format; `content` as the service sends it (base64 for `docx`: see `decodeDocx`). */
  documents: Document[];
  /** The pieces that could not be fetched or do not match the API specification, and why. */
  missing: MissingPiece[];
  /** Pass it as `resume` to continue after this item. Store it in the same transaction as the item. */
  checkpoint: string;
}

/** Fetches the wanted pieces of a meeting one after another. Throws an error that would affect every piece. */
export async function fetchMeeting(
  client: MeetingClient,
  { meeting, issue }: MeetingRow,
  wanted: WantedFormats,
  signal: AbortSignal,
): Promise<Omit<WalkedMeeting, "checkpoint">> {
  let transcript: Transcript | undefined;
  const documents: Document[] = [];
  const missing = issue === undefined ? [] : [missingPiece(meeting, "meeting", invalidGap(issue))];
  // With an unknown status, the transcript is requested.
  const problem = wanted.transcript && isKnownStatus(meeting.status) ? withoutPieces(meeting.status) : undefined;
  if (problem !== undefined) missing.push(missingPiece(meeting, "transcript", problem));
  const pieces = documentPieces(
    (meeting.documents ?? []).map(({ id }) => id),
    wanted.documents,
  );
  if (wanted.transcript && problem === undefined) pieces.unshift({ kind: "transcript" });
  for (const piece of pieces) {
    const fetched = await tryPiece(client, meeting.id, piece, signal);
    transcript = fetched.transcript ?? transcript;
    if (fetched.document !== undefined) documents.push(fetched.document);
    if (fetched.gap !== undefined) missing.push(missingPiece(meeting, nameOf(piece), fetched.gap));
  }
  return { meeting, transcript, documents, missing };
}

async function tryPiece(
  client: MeetingClient,
  meetingId: string,
  piece: Piece,
  signal: AbortSignal,
): Promise<FetchedPiece> {
  try {
    return await fetchPiece(client, meetingId, piece, signal);
  } catch (error) {
    throwIfAborted(signal);
    if (error instanceof UnauthorizedError || error instanceof ConnectionError || isRateLimited(error)) throw error;
    return { gap: gapOf(error) };
  }
}

const isKnownStatus = (status: string): boolean => MEETING_STATUSES.some((known) => known === status);
