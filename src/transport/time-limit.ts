/** The time that a call, an attempt or a transfer may take: in all, or without progress. */
import { onAbort } from "../async/on-abort.js";
import { startTimer } from "../async/start-timer.js";

export interface TimeLimit {
  /** Aborts when the time is up, when `abort` is called, or when the parent signal aborts. */
  readonly signal: AbortSignal;
  /** Starts the timer anew: a sign of progress. */
  restart(): void;
  /** Stops the timer until the next `restart`. */
  stop(): void;
  /** Aborts at once, with this reason. */
  abort(reason: unknown): void;
  /** The time that is left, in milliseconds; `Infinity` without a limit. */
  remainingMs(): number;
  /** Stops the timer for good, and removes the listener from the parent signal. */
  dispose(): void;
}

/** The timer runs from now on. Without `limitMs` there is no limit. */
export function timeLimit(
  parent: AbortSignal | undefined,
  limitMs: number | undefined,
  createTimeoutError: (limitMs: number) => unknown,
): TimeLimit {
  // A signal of its own for each attempt: frameworks that remember reads tell two attempts apart by it.
  const controller = new AbortController();
  const abort = (reason: unknown) => controller.abort(reason);
  const stopWaiting = onAbort(parent, () => abort(parent?.reason));
  let stop = () => {};
  let endsAt = Number.POSITIVE_INFINITY;
  const restart = () => {
    stop();
    if (limitMs === undefined) return;
    endsAt = Date.now() + limitMs;
    stop = startTimer(limitMs, () => abort(createTimeoutError(limitMs)));
  };
  restart();
  return {
    // Made when it is first needed: some calls need none.
    get signal() {
      return controller.signal;
    },
    restart,
    stop: () => stop(),
    abort,
    remainingMs: () => endsAt - Date.now(),
    dispose() {
      stop();
      stopWaiting();
    },
  };
}
