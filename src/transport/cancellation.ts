/** All that can end a call before its time: the caller's signal, and the deadline. */

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
