import { onAbort } from "../../async/on-abort.js";
import { startTimer } from "../../async/start-timer.js";

export interface DownloadSignal {
  readonly signal: AbortSignal;
  abort(reason: unknown): void;
  /** The time until the deadline, in milliseconds. */
  remainingMs(): number;
  /** Clears the timer, and removes the listener from the caller's signal. */
  dispose(): void;
}

/** Aborts with the caller's signal, or at the deadline with the error that `timeoutError` makes. */
export function downloadSignal(
  callerSignal: AbortSignal | undefined,
  deadlineMs: number | undefined,
  timeoutError: (deadlineMs: number) => unknown,
): DownloadSignal {
  const controller = new AbortController();
  const stopWaiting = onAbort(callerSignal, () => controller.abort(callerSignal?.reason));
  const endsAt = deadlineMs === undefined ? Number.POSITIVE_INFINITY : Date.now() + deadlineMs;
  const stopTimer =
    deadlineMs === undefined ? () => {} : startTimer(deadlineMs, () => controller.abort(timeoutError(deadlineMs)));
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    remainingMs: () => endsAt - Date.now(),
    dispose() {
      stopTimer();
      stopWaiting();
    },
  };
}
