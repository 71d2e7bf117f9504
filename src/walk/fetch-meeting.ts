/** Fetches what exists of a meeting. */
import type { Document } from "../schemas/document.js";
import type { Meeting } from "../schemas/meeting.js";
import type { Transcript } from "../schemas/transcript.js";
import type { MeetingClient } from "../sync/pace.js";
import {
  type Missing,
  type MissingPiece,
  missingPiece,
  type Piece,
  piecesOf,
  tryPiece,
  type WantedPieces,
} from "../sync/pieces.js";
import { type MeetingRow, requestDocument, requestTranscript } from "../sync/received.js";

/** A meeting, and what exists of its transcript and documents. */
export interface FetchedMeeting {
  /** The meeting from the list. An invalid field is empty, and named in `missing`. */
  meeting: Meeting;
  /** `undefined` if it is missing or was not requested. */
  transcript: Transcript | undefined;
  /** Each document in each format; `content` as the service sends it (base64 for `docx`: see `decodeDocx`). */
  documents: Document[];
  /** The pieces that could not be fetched or do not match the API specification, and why. */
  missing: MissingPiece[];
}

/** A meeting with its transcript and documents, as `walkMeetings` yields it. */
export interface WalkedMeeting extends FetchedMeeting {
  /** Pass it as `resume` to continue after this item. Store it in the same transaction as the item. */
  checkpoint: string;
}

/** Fetches the wanted pieces of a meeting one after another. */
export async function fetchMeeting(
  client: MeetingClient,
  row: MeetingRow,
  wanted: WantedPieces,
  signal: AbortSignal,
): Promise<FetchedMeeting> {
  const { meeting } = row;
  const { pieces, missing } = piecesOf(row, wanted);
  const fetched = await fetchPieces(client, meeting.id, pieces, signal);
  const all = [...missing, ...fetched.missing];
  return { meeting, ...fetched, missing: all.map((one) => missingPiece(meeting, one)) };
}

/** Fetches these pieces one after another. `breaks`: a lost connection makes a piece missing, and is not thrown. */
export async function fetchPieces(
  client: MeetingClient,
  meetingId: string,
  pieces: readonly Piece[],
  signal: AbortSignal,
  breaks?: boolean,
): Promise<Pick<FetchedMeeting, "transcript" | "documents"> & { missing: Missing[] }> {
  let transcript: Transcript | undefined;
  const documents: Document[] = [];
  const missing: Missing[] = [];
  for (const piece of pieces) {
    const fetch = async () => {
      if (piece.kind === "document") {
        const { received, issue } = await requestDocument(client, piece.id, piece.format, signal);
        if (received.format === piece.format) documents.push(received as unknown as Document);
        return { issue };
      }
      const answer = await requestTranscript(client, meetingId, signal);
      transcript = answer.transcript;
      return answer;
    };
    const { missing: problem } = await tryPiece(piece, signal, fetch, breaks);
    if (problem !== undefined) missing.push(problem);
  }
  return { transcript, documents, missing };
}
