/** Limits the time of a call, an attempt or a transfer: in total, or without progress. */
import { onAbort } from "../async/abort.js";
import { startTimer } from "../async/timers.js";

export interface TimeLimit {
  /** Aborts when the time is up, when `abort` is called, or when the parent signal aborts. */
  readonly signal: AbortSignal;
  /** Starts the timer again from zero: called on each sign of progress. */
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

/** Starts a timer of `limitMs`. Without `limitMs`, there is no timer. */
export function timeLimit(
  parent: AbortSignal | undefined,
  limitMs: number | undefined,
  createTimeoutError: (limitMs: number) => unknown,
): TimeLimit {
  // Each attempt has its own signal: frameworks that memoize reads tell two attempts apart by their signals.
  const controller = new AbortController();
  const abort = (reason: unknown) => controller.abort(reason);
  const stopWaiting = onAbort(parent, () => abort(parent?.reason));
  let stop = () => {};
  let endsAt = Number.POSITIVE_INFINITY;
  const restart = () => {
    stop();
    if (limitMs === undefined) return;
    endsAt = performance.now() + limitMs;
    stop = startTimer(limitMs, () => abort(createTimeoutError(limitMs)));
  };
  restart();
  return {
    // A getter, because the signal is created when it is first read, and some calls need none.
    get signal() {
      return controller.signal;
    },
    restart,
    stop: () => stop(),
    abort,
    remainingMs: () => endsAt - performance.now(),
    dispose() {
      stop();
      stopWaiting();
    },
  };
}
