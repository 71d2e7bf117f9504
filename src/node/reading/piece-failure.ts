/** Decides what the failure of one piece means for the export or walk. */

import { NotFoundError, UnauthorizedError } from "../../errors/api-error.js";
import { ConnectionError } from "../../errors/call-errors.js";
import { isErrorLike } from "../../errors/error-record.js";
import { isRateLimited } from "../../errors/is-temporary.js";
import type { Meeting } from "../../schemas/meeting.js";
import { type MissingPiece, missingPiece, nameOfPiece, type Piece } from "./pieces.js";

/** Whether the failure does not concern one meeting only, because all other requests would fail, too. */
export function isFatal(piece: Piece, error: unknown): boolean {
  if (error instanceof UnauthorizedError || isRateLimited(error)) return true;
  // A recording is downloaded from another host than all other pieces.
  return error instanceof ConnectionError && piece.kind !== "recording";
}

export function missingBecause(meeting: Meeting, piece: Piece, error: unknown): MissingPiece {
  const reason = error instanceof NotFoundError ? "not_found" : "failed";
  return missingPiece(meeting, nameOfPiece(piece), reason, isErrorLike(error) ? error.message : String(error));
}
