/** The pieces of a meeting that can be read: transcript, documents, recording. Each piece is fetched separately. */

import * as z from "zod/mini";
import { ForbiddenError, NotFoundError } from "../../errors/api-error.js";
import { InvalidArgumentError } from "../../errors/argument-errors.js";
import { isErrorLike, messageOf } from "../../errors/error-record.js";
import { isTemporary } from "../../errors/is-temporary.js";
import type { DocumentFormat } from "../../schemas/document.js";
import type { Meeting } from "../../schemas/meeting.js";
import { enumOf } from "../../schemas/primitives.js";

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
   * - `not_ready`: the piece does not exist yet. `syncMeetings` requests it again; a walk has not requested it, because
   *   the meeting is not completed.
   * - `meeting_failed`: the meeting has failed, so there is no such piece.
   * - `forbidden`: the token's user may not read the piece (403).
   * - `not_found`: the service does not have the piece (404).
   * - `invalid`: the piece does not match the API specification; `message` says what is wrong. What can be read of it is
   *   kept, except of a row without an id. Or the store has refused it: then it is `retryable` until it is given up.
   * - `failed`: the piece could not be fetched or saved; `message` says why.
   */
  reason: (typeof REASONS)[number];
  /** The HTTP status of the response (200 for `invalid`); `undefined` if there was no response. */
  status?: number | undefined;
  /**
   * Whether a later attempt may succeed: true for `not_ready`, and after a temporary failure, also of the store.
   * `syncMeetings` sets it to `false` when it gives up.
   */
  retryable: boolean;
  /** Why the piece is missing, for people. */
  message: string;
}

/** A missing piece, as it is remembered. */
export interface Gap extends Omit<MissingPiece, "meeting_id" | "title"> {
  /** Whether the store has refused it. */
  isRefused?: boolean | undefined;
}

/** The schema of a {@link Gap} that is read back. */
/* @__NO_SIDE_EFFECTS__ */
export const gapShape = () =>
  ({
    what: z.string(),
    reason: enumOf(REASONS),
    status: z.optional(z.number()),
    retryable: z.boolean(),
    message: z.string(),
    isRefused: z.optional(z.boolean()),
  }) satisfies Record<keyof Gap, z.ZodMiniType>;

export const missingPiece = (
  { id, title }: { id: string; title?: Meeting["title"] },
  { isRefused, ...missing }: Gap,
): MissingPiece => ({ meeting_id: id, title: title ?? null, ...missing });

/** A piece that was received, but does not match the API specification. */
export const invalidGap = (what: string, message: string): Gap => ({
  what,
  reason: "invalid",
  status: 200,
  retryable: false,
  message,
});

/** What the store has refused. It is tried again: the store may only have been away. */
export const refusedGap = (what: string, message: string): Gap => ({
  ...invalidGap(what, message),
  retryable: true,
  isRefused: true,
});

/** Which pieces to fetch of each meeting. */
export interface WantedPieces {
  transcript: boolean;
  recording: boolean;
  documents: readonly DocumentFormat[];
}

export const NOT_BEGUN = { reason: "not_ready", retryable: true, message: "the meeting has not taken place" } as const;
export const HAS_FAILED = { reason: "meeting_failed", retryable: false, message: "the meeting has failed" } as const;

export const nameOf = (piece: Piece): string =>
  piece.kind === "document" ? `document ${piece.id} (${piece.format})` : piece.kind;

/** The pieces of these documents, each in each wanted format. */
export const documentPieces = (ids: Iterable<string>, formats: readonly DocumentFormat[]): Piece[] =>
  [...new Set(ids)].flatMap((id) => formats.map((format): Piece => ({ kind: "document", id, format })));

/** Why the piece is missing after this error. */
export function gapOf(piece: Piece, error: unknown): Gap {
  const received: unknown = isErrorLike(error) ? (error as { status?: unknown }).status : undefined;
  const status = typeof received === "number" ? received : undefined;
  return {
    what: nameOf(piece),
    reason: reasonOf(error),
    status,
    retryable: isTemporary(error),
    message: messageOf(error),
  };
}

function reasonOf(error: unknown): MissingPiece["reason"] {
  if (error instanceof NotFoundError) return "not_found";
  if (error instanceof ForbiddenError) return "forbidden";
  // The client refuses an id that it cannot send.
  return error instanceof InvalidArgumentError ? "invalid" : "failed";
}
