import { followSignal } from "../reading/follow-signal.js";

/**
 * Calls `work` for each item, at most `limit` at a time. The first failure, or an abort of `signal`, aborts the signal
 * that the running calls received. Once all of them have ended, the first failure is thrown.
 */
export async function forEachConcurrently<T>(
  items: readonly T[],
  limit: number,
  signal: AbortSignal,
  work: (item: T, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  if (signal.aborted) throw signal.reason;
  const group = followSignal(signal);
  let failure: { error: unknown } | undefined;
  const queue = items.values();
  const worker = async () => {
    try {
      for (let next = queue.next(); !next.done && !group.signal.aborted; next = queue.next()) {
        await work(next.value, group.signal);
      }
    } catch (error) {
      failure ??= { error };
      group.abort(error);
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  group.release();
  if (signal.aborted) throw signal.reason;
  if (failure !== undefined) throw failure.error;
}
