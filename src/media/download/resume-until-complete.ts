/** Requests one range of a recording after the other, until all bytes have arrived. */
import { pause } from "../../async/timers.js";
import { addCallFacts, NotetakerError } from "../../errors/notetaker-error.js";
import { type RetryRules, retryDelayMs } from "../../transport/retry-policy.js";
import { downloadRange, type RangeEnd } from "./download-range.js";
import { type DownloadContext, type DownloadState, isComplete } from "./download-state.js";

export interface ResumeLimits {
  /** The maximum number of failures in a row without a byte between them. */
  readonly maxRetries: number;
  readonly maxRetryDelayMs: number;
  remainingMs(): number;
}

/** Delivers the whole file, each byte once. Resumes over new connections until complete or out of retries. */
export async function* resumeUntilComplete(
  context: DownloadContext,
  state: DownloadState,
  limits: ResumeLimits,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  for (;;) {
    let end: RangeEnd;
    try {
      end = yield* downloadRange(context, state);
    } catch (error) {
      if (context.signal.aborted) throw context.signal.reason;
      countAttempts(error, state);
      // An error of the connection after the last byte does not matter.
      if (isComplete(state)) return;
      await waitBeforeRetry(error, context, state, limits);
      continue;
    }
    if (end.kind === "complete") return;
    if (end.kind === "changed") restart(end.error, context, state);
  }
}

/** If the call for a link failed, its error has the number of its attempts. */
function countAttempts(error: unknown, state: DownloadState): void {
  if (!(error instanceof NotetakerError)) return;
  state.attempts += error.attempts;
  addCallFacts(error, { attempts: state.attempts });
}

/** Throws `error` if no further attempt is allowed. */
async function waitBeforeRetry(
  error: unknown,
  { signal }: DownloadContext,
  state: DownloadState,
  { maxRetries, maxRetryDelayMs, remainingMs }: ResumeLimits,
): Promise<void> {
  state.failures += 1;
  if (state.failures > maxRetries) throw error;
  const rules: RetryRules = { retry: "repeatable", bodyRepeatable: true, maxRetryDelayMs };
  const delayMs = retryDelayMs(error, state.failures, rules);
  if (delayMs === undefined || delayMs >= remainingMs()) throw error;
  await pause(delayMs, signal);
}

/**
 * Starts again at the first byte, if the caller can discard the delivered bytes. Restarts at most once, because a file
 * may keep changing.
 */
function restart(error: NotetakerError, { onRestart }: DownloadContext, state: DownloadState): void {
  if (onRestart === undefined || state.hasRestarted) throw addCallFacts(error, { attempts: state.attempts });
  state.hasRestarted = true;
  state.receivedBytes = 0;
  onRestart();
}
