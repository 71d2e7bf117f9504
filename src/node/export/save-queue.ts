/** Saves what is queued, several pieces at a time. */
import { ConnectionError } from "../../errors/connection-error.js";
import { isErrorLike } from "../../errors/error-like.js";
import { NotFoundError } from "../../errors/not-found-error.js";
import { UnauthorizedError } from "../../errors/unauthorized-error.js";
import type { QueuedMeeting } from "./checkpoint.js";
import type { Run } from "./export-context.js";
import { missingPiece, type Piece } from "./pieces.js";
import { isRefusal, mayPass } from "./rate-limited-requests.js";
import { savePiece } from "./save-piece.js";
import { SinkFailure } from "./sink-writer.js";

/** Resolves when the queue is empty and the checkpoint says so. When one piece ends the run, none is under way any more. */
export async function saveQueue(run: Run): Promise<void> {
  const jobs = run.checkpoint.state.queue
    .flatMap((queued) => queued.pieces.map((piece) => ({ queued, piece })))
    .values();
  const worker = async () => {
    try {
      for (const { queued, piece } of jobs) {
        run.signal.throwIfAborted();
        await settle(run, queued, piece);
      }
    } catch (error) {
      run.end(error);
      throw error;
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: run.plan.concurrency }, worker));
  if (ended.some(({ status }) => status === "rejected")) throw run.signal.reason;
}

/** Saves a piece, or notes why it is missing; either way the checkpoint has it when this resolves. */
async function settle(run: Run, queued: QueuedMeeting, piece: Piece): Promise<void> {
  const { checkpoint } = run;
  const { state } = checkpoint;
  const { meeting, folder } = queued;
  try {
    await savePiece(run, queued, piece);
    state.saved += 1;
  } catch (error) {
    if (endsRun(run, piece, error)) throw error;
    if (mayPass(error) && !state.secondRound) {
      const later = state.later.find((one) => one.meeting.id === meeting.id);
      if (later === undefined) state.later.push({ meeting, folder, pieces: [piece] });
      else later.pieces.push(piece);
    } else {
      const reason = error instanceof NotFoundError ? "not_found" : "failed";
      checkpoint.addMissing(missingPiece(meeting, piece, reason, isErrorLike(error) ? error.message : String(error)));
    }
  }
  queued.pieces = queued.pieces.filter((one) => one !== piece);
  if (queued.pieces.length === 0) state.queue = state.queue.filter((one) => one !== queued);
  await checkpoint.save();
  run.report("exporting", { current: meeting.title ?? meeting.id });
}

/** What is no matter of one meeting: going on would only fail for all the others, too. */
function endsRun(run: Run, piece: Piece, error: unknown): boolean {
  if (run.signal.aborted || error instanceof SinkFailure || error instanceof UnauthorizedError) return true;
  // A recording comes from another host than everything else.
  return isRefusal(error) || (error instanceof ConnectionError && piece.kind !== "recording");
}
