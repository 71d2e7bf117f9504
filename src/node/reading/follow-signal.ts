/** A new signal that aborts together with the caller's signal. It needs one listener, which can be removed. */
export interface FollowingSignal {
  readonly signal: AbortSignal;
  /** Aborts this signal, not the caller's. */
  abort(reason?: unknown): void;
  /** Removes the listener from the caller's signal. */
  release(): void;
}

export function followSignal(followed: AbortSignal | undefined): FollowingSignal {
  const controller = new AbortController();
  const onAbort = () => controller.abort(followed?.reason);
  if (followed?.aborted) onAbort();
  else followed?.addEventListener("abort", onAbort, { once: true });
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    release: () => followed?.removeEventListener("abort", onAbort),
  };
}
