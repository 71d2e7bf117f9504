/** Works on several items at the same time, and yields the results in the order of the items. */

/** Results in the order of the items, `limit` in work ahead of the reader. Throws where the failed item is. */
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
