/** The pieces of a meeting that can be read: transcript, documents, recording. Each piece is fetched separately. */
import { ForbiddenError, NotFoundError } from "../errors/api-error.js";
import { InvalidArgumentError } from "../errors/argument-errors.js";
import { isErrorLike, messageOf } from "../errors/error-record.js";
import { isInconclusive } from "../errors/is-temporary.js";
import type { DocumentFormat } from "../schemas/document.js";
import type { Meeting } from "../schemas/meeting.js";

export type Piece =
  | { kind: "transcript" }
  | { kind: "document"; id: string; format: DocumentFormat }
  | { kind: "recording" };

/** A piece that could not be fetched or saved, or that does not match the API specification. */
export interface MissingPiece {
  /** `mtg_…`; empty for a row of the meeting list without an id. */
  meeting_id: string;
  /** The title of the meeting; `null` if it has none. */
  title: string | null;
  /** `transcript`, `recording`, `document doc_… (markdown)`, or `meeting` for the row of the meeting list itself. */
  what: string;
  /**
   * - `not_ready`: the piece does not exist yet. `syncMeetings` requests it again; a walk does not request it, because the
   *   meeting is not completed.
   * - `meeting_failed`: the meeting has failed.
   * - `forbidden`: the token's user may not read the piece (403).
   * - `not_found`: the service does not have the piece (404), or it was not ready for `settleMs`.
   * - `invalid`: the piece does not match the API specification, or the store has refused it. What can be read of it is
   *   kept, except of a row without an id.
   * - `failed`: the piece could not be fetched or saved.
   */
  reason: "not_ready" | "meeting_failed" | "forbidden" | "not_found" | "invalid" | "failed";
  /** The HTTP status of the response (200 for `invalid`); `undefined` if there was no response. */
  status?: number | undefined;
  /**
   * Whether a later attempt may succeed. `syncMeetings` requests such a piece again, and sets it to `false` when it gives
   * up. A walk sets it to `true` for `not_ready`, and after a temporary failure.
   */
  retryable: boolean;
  /** Why the piece is missing, for people. */
  message: string;
}

/** Why a piece is missing. */
export type Gap = Omit<MissingPiece, "meeting_id" | "title" | "what">;

export const missingPiece = (
  { id, title }: { id: string; title?: Meeting["title"] },
  what: string,
  gap: Gap,
): MissingPiece => ({ meeting_id: id, title: title ?? null, what, ...gap });

/** A piece that was received, but does not match the API specification. `settle` requests it again all the same. */
export const invalidGap = (message: string): Gap => ({ reason: "invalid", status: 200, retryable: false, message });

/** Whether the store has refused the piece, or the client its id. An invalid answer of the service has a status. */
export const isOfThisSide = ({ reason, status }: Gap): boolean => reason === "invalid" && status === undefined;

/** Which pieces to fetch of each meeting. */
export interface WantedFormats {
  transcript: boolean;
  recording: boolean;
  documents: readonly DocumentFormat[];
}

/** Why a meeting with this status has no pieces by itself. `undefined`: it is completed, and has them. */
export function withoutPieces(status: string): Gap | undefined {
  if (status === "completed") return undefined;
  if (status === "failed") return { reason: "meeting_failed", retryable: false, message: "the meeting has failed" };
  const message =
    status === "scheduled" ? "the meeting has not taken place" : `the meeting is not completed: ${status}`;
  return { reason: "not_ready", retryable: true, message };
}

/** Whether the piece is missing because its meeting is not completed. It has no time to be requested again. */
export const waitsForMeeting = ({ reason, message }: Gap): boolean =>
  reason === "not_ready" && message.startsWith("the meeting ");

export const nameOf = (piece: Piece): string =>
  piece.kind === "document" ? `document ${piece.id} (${piece.format})` : piece.kind;

/** The id of the document in the name of a piece; `undefined` for another piece. */
export const documentOf = (name: string): string | undefined => /^document (.*) \(\w+\)$/s.exec(name)?.[1];

/** The pieces of these documents, each in each wanted format. */
export const documentPieces = (ids: Iterable<string>, formats: readonly DocumentFormat[]): Piece[] =>
  [...new Set(ids)].flatMap((id) => formats.map((format): Piece => ({ kind: "document", id, format })));

/** Why a piece is missing after this error. `syncMeetings` asks again also for some that are not `retryable`: see `settle`. */
export function gapOf(error: unknown): Gap {
  const received: unknown = isErrorLike(error) ? (error as { status?: unknown }).status : undefined;
  const status = typeof received === "number" ? received : undefined;
  return { reason: reasonOf(error), status, retryable: isInconclusive(error), message: messageOf(error) };
}

function reasonOf(error: unknown): MissingPiece["reason"] {
  // A page of a firewall or a proxy says nothing of the piece.
  if (isInconclusive(error)) return "failed";
  if (error instanceof NotFoundError) return "not_found";
  if (error instanceof ForbiddenError) return "forbidden";
  // The client refuses an id that it cannot send.
  return error instanceof InvalidArgumentError ? "invalid" : "failed";
}
