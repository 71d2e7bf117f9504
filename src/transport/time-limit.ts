/** Limits the time of a call, an attempt or a transfer: in total, or without progress. */
import { newAbortController, onAbort, reasonOf } from "../async/abort.js";
import { startTimer } from "../async/timers.js";

export interface TimeLimit {
  /** Aborts when the time is up, when `abort` is called, or when the parent signal aborts. */
  readonly signal: AbortSignal;
  /** Starts the timer again from zero: called on each sign of progress. */
  restart(): void;
  /** Stops the timer until the next `restart`. */
  stop(): void;
  /** Stops the timer. The returned function starts it again, with the time that was left. */
  pause(): () => void;
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
  const controller = newAbortController();
  const abort = (reason: unknown) => controller.abort(reason);
  const stopWaiting = onAbort(parent, () => abort(parent && reasonOf(parent)));
  let stop = () => {};
  let endsAt = Number.POSITIVE_INFINITY;
  const start = (ms = limitMs) => {
    stop();
    if (limitMs === undefined || ms === undefined) return;
    endsAt = performance.now() + ms;
    stop = startTimer(ms, () => abort(createTimeoutError(limitMs)));
  };
  const remainingMs = () => endsAt - performance.now();
  start();
  return {
    // A getter, because the signal is created when it is first read, and some calls need none.
    get signal() {
      return controller.signal;
    },
    restart: () => start(),
    stop: () => stop(),
    pause() {
      const leftMs = remainingMs();
      stop();
      return () => start(leftMs);
    },
    abort,
    remainingMs,
    dispose() {
      stop();
      stopWaiting();
    },
  };
}
