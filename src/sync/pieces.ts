/** The pieces of a meeting that can be read: transcript, documents, recording. Each piece is fetched separately. */

import * as z from "zod/mini";
import { throwIfAborted } from "../async/abort.js";
import { ForbiddenError, NotFoundError, UnauthorizedError } from "../errors/api-error.js";
import { ConnectionError } from "../errors/call-errors.js";
import { isErrorLike } from "../errors/error-record.js";
import { isRateLimited, isTemporary } from "../errors/is-temporary.js";
import type { DocumentFormat } from "../schemas/document.js";
import type { Meeting } from "../schemas/meeting.js";
import { enumOf } from "../schemas/primitives.js";
import type { MeetingRow } from "./received.js";

export type Piece =
  | { kind: "transcript" }
  | { kind: "document"; id: string; format: DocumentFormat }
  | { kind: "recording" };

const REASONS = ["not_ready", "meeting_failed", "forbidden", "not_found", "invalid", "failed"] as const;

/** A piece that could not be fetched or saved, or that does not match the API specification. */
export interface MissingPiece {
  /** `mtg_…`; empty for a row of the meeting list without an id. */
  meeting_id: string;
  /** The title of the meeting; `null` if it has none. */
  title: string | null;
  /** `transcript`, `recording`, `document doc_… (markdown)`, or `meeting` for the row of the meeting list itself. */
  what: string;
  /**
   * - `not_ready`: the meeting is not completed, so the piece was not requested.
   * - `meeting_failed`: the meeting has failed, so there is no such piece.
   * - `forbidden`: the token's user may not read the piece (403).
   * - `not_found`: the service does not have the piece (404).
   * - `invalid`: the piece does not match the API specification; `message` says what is wrong. An export still saves
   *   what it received, except a row without an id.
   * - `failed`: the piece could not be fetched or saved; `message` says why.
   */
  reason: (typeof REASONS)[number];
  /** The HTTP status of the response (200 for `invalid`); `undefined` if there was no response. */
  status?: number | undefined;
  /** Whether a later attempt may succeed: true for `not_ready`, and after a temporary failure (429, 5xx, connection). */
  retryable: boolean;
  /** Why the piece is missing, for people. */
  message: string;
}

export type Missing = Omit<MissingPiece, "meeting_id" | "title">;

/** The schema of a {@link Missing} that is read back. The first versions did not write `retryable`. */
/* @__NO_SIDE_EFFECTS__ */
export const missingShape = () =>
  ({
    what: z.string(),
    reason: enumOf(REASONS),
    status: z.optional(z.number()),
    retryable: z.catch(z.boolean(), false),
    message: z.string(),
  }) satisfies Record<keyof Missing, z.ZodMiniType>;

export const missingPiece = ({ id, title }: Pick<Meeting, "id" | "title">, missing: Missing): MissingPiece => ({
  meeting_id: id,
  title: title ?? null,
  ...missing,
});

/** A piece that was received, but does not match the API specification. */
export const invalidPiece = (what: string, message: string): Missing => ({
  what,
  reason: "invalid",
  status: 200,
  retryable: false,
  message,
});

/** Which pieces to fetch of each meeting. */
export interface WantedPieces {
  transcript: boolean;
  recording: boolean;
  documents: readonly DocumentFormat[];
}

/** Why a meeting with this status has no transcript or recording. With an unknown status, both are requested. */
function withoutContent(status: string): Omit<Missing, "what"> | undefined {
  if (status === "scheduled") return NOT_BEGUN;
  if (status === "processing") return { ...NOT_BEGUN, message: "the meeting is being processed" };
  if (status !== "failed") return undefined;
  return { reason: "meeting_failed", retryable: false, message: "the meeting has failed" };
}

export const NOT_BEGUN = { reason: "not_ready", retryable: true, message: "the meeting has not taken place" } as const;

/** Whether the piece was not requested because of the status of its meeting, which may change. */
export const isOfStatus = ({ reason }: Missing): boolean => reason === "not_ready" || reason === "meeting_failed";

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
  const missing = issue === undefined ? [] : [invalidPiece("meeting", issue)];
  const problem = withoutContent(meeting.status);
  if (problem === undefined) return { pieces: [...fromCall, ...documents], missing };
  for (const piece of fromCall) missing.push({ what: nameOf(piece), ...problem });
  return { pieces: documents, missing };
}

export const nameOf = (piece: Piece): string =>
  piece.kind === "document" ? `document ${piece.id} (${piece.format})` : piece.kind;

/** Whether all other requests would also fail. `breaks`: the connection breaks only at the piece's meeting. */
function isFatal(piece: Piece, error: unknown, breaks: boolean): boolean {
  if (error instanceof UnauthorizedError || isRateLimited(error)) return true;
  // A recording is downloaded from another host than all other pieces.
  return error instanceof ConnectionError && piece.kind !== "recording" && !breaks;
}

/** Why the piece is missing. Throws an error that affects every piece. */
export function missingBecause(piece: Piece, error: unknown, breaks = false): Missing {
  if (isFatal(piece, error, breaks)) throw error;
  const received: unknown = isErrorLike(error) ? (error as { status?: unknown }).status : undefined;
  const status = typeof received === "number" ? received : undefined;
  const message = isErrorLike(error) ? error.message : String(error);
  return { what: nameOf(piece), reason: reasonOf(error), status, retryable: isTemporary(error), message };
}

function reasonOf(error: unknown): MissingPiece["reason"] {
  if (error instanceof NotFoundError) return "not_found";
  return error instanceof ForbiddenError ? "forbidden" : "failed";
}

/**
 * Fetches a piece. Resolves to what was fetched, or why it is missing; to both if it does not match the API
 * specification. Throws the reason of an aborted `signal`, and an error that affects every piece.
 */
export async function tryPiece<T extends { issue: string | undefined }>(
  piece: Piece,
  signal: AbortSignal,
  fetch: () => Promise<T>,
  breaks?: boolean,
): Promise<{ fetched?: T; missing?: Missing | undefined }> {
  try {
    const fetched = await fetch();
    if (fetched.issue === undefined) return { fetched };
    return { fetched, missing: invalidPiece(nameOf(piece), fetched.issue) };
  } catch (error) {
    throwIfAborted(signal);
    return { missing: missingBecause(piece, error, breaks) };
  }
}
