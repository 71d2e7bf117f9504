import { onAbort } from "./on-abort.js";

/**
 * Settles as `work` does, or rejects with the reason of `signal` as soon as it aborts, whatever `work` is waiting for.
 */
export function abortable<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const stopWaiting = onAbort(signal, () => reject(signal.reason));
    work.then(
      (value) => {
        stopWaiting();
        resolve(value);
      },
      (error) => {
        stopWaiting();
        reject(error);
      },
    );
  });
}
