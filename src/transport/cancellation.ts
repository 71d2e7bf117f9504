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
  if (deadlineMs === undefined) {
    const none = { remainingMs: () => Number.POSITIVE_INFINITY, deadlineReached: () => false, dispose() {} };
    return { signal, ...none };
  }
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), deadlineMs);
  const endsAt = Date.now() + deadlineMs;
  return {
    signal: signal === undefined ? deadline.signal : AbortSignal.any([signal, deadline.signal]),
    remainingMs: () => endsAt - Date.now(),
    deadlineReached: () => deadline.signal.aborted,
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
