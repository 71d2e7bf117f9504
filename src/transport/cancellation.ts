/** All that can end a call before its time: the caller's signal, and the deadline. */

export interface Cancellation {
  /** Aborts when either does; `undefined` when neither can. */
  readonly signal: AbortSignal | undefined;
  /** What is left until the deadline, in milliseconds. */
  remainingMs(): number;
  /** Whether the deadline, and not the caller, ended the call. */
  deadlineReached(): boolean;
  /** Takes the deadline's timer away. */
  dispose(): void;
}

export function cancellation(signal: AbortSignal | undefined, deadlineMs: number | undefined): Cancellation {
  const deadline = deadlineMs === undefined ? undefined : new AbortController();
  const timer = deadline && setTimeout(() => deadline.abort(), deadlineMs);
  const endsAt = deadlineMs === undefined ? Number.POSITIVE_INFINITY : Date.now() + deadlineMs;
  const ends = [signal, deadline?.signal].filter((one) => one !== undefined);
  return {
    // Never the caller's own: many calls may share it, and each would add its listeners to it.
    signal: ends.length === 0 ? undefined : AbortSignal.any(ends),
    remainingMs: () => endsAt - Date.now(),
    deadlineReached: () => deadline?.signal.aborted === true,
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
