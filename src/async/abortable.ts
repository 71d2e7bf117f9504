/**
 * Settles as `work` does, or rejects with the reason of `signal` as soon as it aborts, whatever `work` is waiting for.
 * Its listener is removed when either happens.
 */
export function abortable<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) {
      // Nobody will see how the work ends.
      work.catch(() => {});
      abort();
      return;
    }
    signal.addEventListener("abort", abort, { once: true });
    const settled = () => signal.removeEventListener("abort", abort);
    work.then(
      (value) => {
        settled();
        resolve(value);
      },
      (error) => {
        settled();
        reject(error);
      },
    );
  });
}
