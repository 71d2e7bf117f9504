import { followAbort } from "../../async/follow-abort.js";

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
  const unfollow = followAbort(controller, callerSignal);
  const endsAt = deadlineMs === undefined ? Number.POSITIVE_INFINITY : Date.now() + deadlineMs;
  const timer =
    deadlineMs === undefined ? undefined : setTimeout(() => controller.abort(timeoutError(deadlineMs)), deadlineMs);
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    remainingMs: () => endsAt - Date.now(),
    dispose() {
      clearTimeout(timer);
      unfollow();
    },
  };
}
