import type { TimedOut } from "./cancellation.js";

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
