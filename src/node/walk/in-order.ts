/**
 * Yields the result of `work` for each item, in the order of the items. While one is being consumed, `work` runs for
 * the following ones, at most `limit` at a time. A failure is thrown when its item's turn comes.
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
      // A failure is thrown when its turn comes, or never if the walk is left before.
      promise.catch(() => {});
      started.push(promise);
    }
    const result = await (started.shift() as Promise<R>);
    yield { item, result };
  }
}
