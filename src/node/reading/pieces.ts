/** The pieces of a meeting that can be read: transcript, documents, recording. Each piece is fetched separately. */
import * as z from "zod/mini";
import { NotFoundError, UnauthorizedError } from "../../errors/api-error.js";
import { ConnectionError } from "../../errors/call-errors.js";
import { isErrorLike } from "../../errors/error-record.js";
import { isRateLimited, isTemporary } from "../../errors/is-temporary.js";
import type { DocumentFormat } from "../../schemas/document.js";
import type { Meeting } from "../../schemas/meeting.js";
import { enumOf } from "../../schemas/primitives.js";
import type { MeetingRow } from "./received.js";

export type Piece =
  | { kind: "transcript" }
  | { kind: "document"; id: string; format: DocumentFormat }
  | { kind: "recording" };

/** A piece that could not be saved, or that does not match the API specification. */
export interface MissingPiece {
  /** `mtg_…`; empty for a row of the meeting list without an id. */
  meeting_id: string;
  /** The title of the meeting; `null` if it has none. */
  title: string | null;
  /** `transcript`, `recording`, `document doc_… (markdown)`, or `meeting` for the row of the meeting list itself. */
  what: string;
  /**
   * - `not_found`: the service does not have the piece.
   * - `not_ready`: the meeting is not completed, so the piece was not requested.
   * - `failed`: the piece could not be fetched or saved; `message` says why.
   * - `invalid`: the piece does not match the API specification; `message` says what is wrong. An export still saves
   *   what it received, except a row without an id.
   */
  reason: "not_found" | "not_ready" | "failed" | "invalid";
  /** Why the piece is missing, for people. */
  message: string;
}

/** What is missing of a known meeting. `again`: the reason may pass, so an export tries once more at its end. */
export interface Missing extends Pick<MissingPiece, "what" | "reason" | "message"> {
  again?: boolean | undefined;
}

/** The schema of a {@link Missing} that an export reads back. */
export const missingShape = {
  what: z.string(),
  reason: enumOf(["not_found", "not_ready", "failed", "invalid"]),
  message: z.string(),
};

export const missingPiece = ({ id, title }: Pick<Meeting, "id" | "title">, missing: Missing): MissingPiece => ({
  meeting_id: id,
  title: title ?? null,
  what: missing.what,
  reason: missing.reason,
  message: missing.message,
});

/** Which pieces to fetch of each meeting. */
export interface WantedPieces {
  transcript: boolean;
  recording: boolean;
  documents: readonly DocumentFormat[];
}

/** The statuses of a meeting that has no transcript or recording yet. With an unknown status, both are requested. */
const WITHOUT_CONTENT: ReadonlyMap<string, string> = new Map([
  ["scheduled", "the meeting has not taken place"],
  ["processing", "the meeting is being processed"],
  ["failed", "the meeting has failed"],
]);

/** The pieces to fetch, and what is missing before that: pieces that cannot exist yet, and an invalid row. */
export function piecesOf(
  { meeting, issue }: MeetingRow,
  wanted: WantedPieces,
): { pieces: Piece[]; missing: Missing[] } {
  const fromCall: Piece[] = [];
  if (wanted.transcript) fromCall.push({ kind: "transcript" });
  if (wanted.recording) fromCall.push({ kind: "recording" });
  const documentIds = [...new Set((meeting.documents ?? []).map(({ id }) => id))];
  const documents = documentIds.flatMap((id) =>
    wanted.documents.map((format): Piece => ({ kind: "document", id, format })),
  );
  const missing: Missing[] = issue === undefined ? [] : [{ what: "meeting", reason: "invalid", message: issue }];
  const message = WITHOUT_CONTENT.get(meeting.status);
  if (message === undefined) return { pieces: [...fromCall, ...documents], missing };
  for (const piece of fromCall) missing.push({ what: nameOf(piece), reason: "not_ready", message });
  return { pieces: documents, missing };
}

export const nameOf = (piece: Piece): string =>
  piece.kind === "document" ? `document ${piece.id} (${piece.format})` : piece.kind;

/** Whether the failure does not concern one meeting only, because all other requests would fail, too. */
function isFatal(piece: Piece, error: unknown): boolean {
  if (error instanceof UnauthorizedError || isRateLimited(error)) return true;
  // A recording is downloaded from another host than all other pieces.
  return error instanceof ConnectionError && piece.kind !== "recording";
}

/** Why the piece is missing. Throws an error that affects every piece. */
export function missingBecause(piece: Piece, error: unknown): Missing {
  if (isFatal(piece, error)) throw error;
  const reason = error instanceof NotFoundError ? "not_found" : "failed";
  const message = isErrorLike(error) ? error.message : String(error);
  return { what: nameOf(piece), reason, message, again: isTemporary(error) || undefined };
}

/**
 * Fetches a piece. Resolves to what was fetched, or why it is missing; to both if it does not match the API
 * specification. Throws the reason of an aborted `signal`, and an error that affects every piece.
 */
export async function tryPiece<T extends { issue: string | undefined }>(
  piece: Piece,
  signal: AbortSignal,
  fetch: () => Promise<T>,
): Promise<{ fetched?: T; missing?: Missing | undefined }> {
  try {
    const fetched = await fetch();
    if (fetched.issue === undefined) return { fetched };
    return { fetched, missing: { what: nameOf(piece), reason: "invalid", message: fetched.issue } };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    return { missing: missingBecause(piece, error) };
  }
}
