/** The time that one attempt may take: in all, or without progress. */
import { onAbort } from "../async/on-abort.js";
import { startTimer } from "../async/start-timer.js";

export interface TimeLimit {
  /** Aborts when the time is up, when `abort` is called, or when the parent signal aborts. */
  readonly signal: AbortSignal;
  /** Starts the timer, or starts it anew: a sign of progress. It does not run before the first call. */
  restart(): void;
  /** Stops the timer until the next `restart`. */
  stop(): void;
  /** Ends the attempt at once, with this reason. */
  abort(reason: unknown): void;
  /** Stops the timer for good, and lets go of the parent signal. */
  dispose(): void;
}

export function timeLimit(
  parent: AbortSignal | undefined,
  limitMs: number,
  createTimeoutError: () => unknown,
): TimeLimit {
  // A signal of its own for each attempt: frameworks that remember reads tell two attempts apart by it.
  const controller = new AbortController();
  const stopWaiting = onAbort(parent, () => controller.abort(parent?.reason));
  let stopTimer = () => {};
  const stop = () => stopTimer();
  return {
    signal: controller.signal,
    restart() {
      stop();
      stopTimer = startTimer(limitMs, () => controller.abort(createTimeoutError()));
    },
    stop,
    abort: (reason) => controller.abort(reason),
    dispose() {
      stop();
      stopWaiting();
    },
  };
}
