/** Work on several items at the same time: in their order for a walk, in any order for an export. */

import type { FollowingSignal } from "../async/abort.js";
import { throwIfAborted } from "../async/abort.js";

/**
 * Calls `work` for each item, at most `limit` at a time. The first failure aborts the signal, and so does the followed
 * signal. Once all running calls have ended, the signal's reason is thrown.
 */
export async function forEachConcurrently<T>(
  items: Iterable<T>,
  limit: number,
  { signal, abort }: FollowingSignal,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items[Symbol.iterator]();
  const worker = async () => {
    for (let next = queue.next(); !next.done && !signal.aborted; next = queue.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: limit }, () => worker().catch(abort)));
  throwIfAborted(signal);
}

/**
 * Yields the result of `work` for each item, in the order of the items. While one result is being consumed, `work` runs
 * for the following items, at most `limit` at a time. A failure is thrown when its item is reached.
 */
export async function* inOrder<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<{ item: T; result: R }, void, undefined> {
  const started: Promise<R>[] = [];
  let next = 0;
  for (const [index, item] of items.entries()) {
    for (; next < Math.min(items.length, index + limit); next++) {
      const promise = work(items[next] as T);
      // A failure is thrown when its item is reached. If the loop is left before that, it is ignored.
      promise.catch(() => {});
      started.push(promise);
    }
    const result = await (started.shift() as Promise<R>);
    yield { item, result };
  }
}
