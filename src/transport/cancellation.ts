/** All that can end a call before its time: the caller's signal, and the deadline. */

/** The longest delay that a timer takes, in milliseconds: with a longer one it fires at once. */
export const LONGEST_TIMER_MS = 2_147_483_647;

export interface Cancellation {
  /** Aborts when either does; `undefined` when neither can. */
  readonly signal: AbortSignal | undefined;
  /** What is left until the deadline, in milliseconds. */
  remainingMs(): number;
  /** Takes the deadline's timer away. */
  dispose(): void;
}

/** The error for a limit that was reached: its name, and how long it is. */
export type TimedOut = (limit: string, ms: number) => unknown;

/** At the deadline, the signal aborts with the reason that `timedOut` gives. */
export function cancellation(
  signal: AbortSignal | undefined,
  deadlineMs: number | undefined,
  timedOut: TimedOut,
): Cancellation {
  const deadline = deadlineMs === undefined ? undefined : new AbortController();
  const timer = deadline && setTimeout(() => deadline.abort(timedOut("deadlineMs", deadlineMs!)), deadlineMs);
  const endsAt = Date.now() + (deadlineMs ?? Number.POSITIVE_INFINITY);
  const ends = [signal, deadline?.signal].filter((one) => one !== undefined);
  return {
    // Never the caller's own: many calls may share it, and each would add its listeners to it.
    signal: ends.length === 0 ? undefined : AbortSignal.any(ends),
    remainingMs: () => endsAt - Date.now(),
    dispose: () => clearTimeout(timer),
  };
}

/** `promise`, or a rejection with the signal's reason as soon as it aborts, whatever `promise` is waiting for. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

export interface StallGuard {
  /** Aborts when nothing has moved for too long, or when the signal that it was made with does. */
  readonly signal: AbortSignal;
  /** A sign of life: the time begins anew. Before the first one it does not run. */
  alive(): void;
  /** Takes the timer away. */
  stop(): void;
}

/** For a transfer whose whole duration says nothing: limits the time without progress, in milliseconds. */
export function stallGuard(signal: AbortSignal, stallMs: number, timedOut: TimedOut): StallGuard {
  const guard = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => clearTimeout(timer);
  // Not `AbortSignal.any`: the edge runtime that Next.js brings has none.
  const follow = () => guard.abort(signal.reason);
  signal.addEventListener("abort", follow);
  if (signal.aborted) follow();
  return {
    signal: guard.signal,
    alive() {
      stop();
      timer = setTimeout(() => guard.abort(timedOut("timeoutMs without progress", stallMs)), stallMs);
    },
    stop,
  };
}

/** Waits; rejects with the signal's reason as soon as it aborts. `wake` ends the wait early. */
export function pause(ms: number, signal: AbortSignal | undefined, wake?: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const waited = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
    wake?.then(resolve);
  });
  return abortable(waited, signal).finally(() => clearTimeout(timer));
}
