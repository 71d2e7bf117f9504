/**
 * Aborts `controller` with the reason of `signal` as soon as that aborts. The returned function removes the listener:
 * a signal that outlives many calls must not collect one from each. (`AbortSignal.any` is missing in some runtimes.)
 */
export function followAbort(controller: AbortController, signal: AbortSignal | undefined): () => void {
  if (signal === undefined) return () => {};
  const abort = () => controller.abort(signal.reason);
  if (signal.aborted) abort();
  else signal.addEventListener("abort", abort, { once: true });
  return () => signal.removeEventListener("abort", abort);
}
