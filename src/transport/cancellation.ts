/** All that can end a call before its time: the caller's signal and the deadline. */
import { onAbort } from "../async/on-abort.js";
import { startTimer } from "../async/start-timer.js";

export interface Cancellation {
  /** Aborts when either does; `undefined` if neither can. Never the caller's own signal. */
  readonly signal: AbortSignal | undefined;
  /** The caller's own: a call that it cancels rejects with its own reason. */
  readonly callerSignal: AbortSignal | undefined;
  /** The time until the deadline, in milliseconds; `Infinity` without one. */
  remainingMs(): number;
  /** Stops the timer, and lets go of the caller's signal. */
  dispose(): void;
}

const NEVER: Cancellation = {
  signal: undefined,
  callerSignal: undefined,
  remainingMs: () => Number.POSITIVE_INFINITY,
  dispose: () => {},
};

/** At the deadline, the signal aborts with the reason that `createTimeoutError` returns. */
export function cancellation(
  callerSignal: AbortSignal | undefined,
  deadlineMs: number | undefined,
  createTimeoutError: (deadlineMs: number) => unknown,
): Cancellation {
  if (callerSignal === undefined && deadlineMs === undefined) return NEVER;
  const controller = new AbortController();
  const stopWaiting = onAbort(callerSignal, () => controller.abort(callerSignal?.reason));
  if (deadlineMs === undefined) {
    return { signal: controller.signal, callerSignal, remainingMs: NEVER.remainingMs, dispose: stopWaiting };
  }
  const endsAt = Date.now() + deadlineMs;
  const stopTimer = startTimer(deadlineMs, () => controller.abort(createTimeoutError(deadlineMs)));
  return {
    signal: controller.signal,
    callerSignal,
    remainingMs: () => endsAt - Date.now(),
    dispose() {
      stopTimer();
      stopWaiting();
    },
  };
}
