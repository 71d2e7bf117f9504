import { onAbort } from "./on-abort.js";

/**
 * Settles like `work`, or rejects with the reason of `signal` as soon as `signal` aborts, even if `work` is still
 * waiting. If `work` resolves after that, `onLate` gets the value and may close it.
 */
export function abortable<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
  onLate?: (value: T) => void,
): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    let isLate = false;
    const stopWaiting = onAbort(signal, () => {
      isLate = true;
      reject(signal.reason);
    });
    work.then(
      (value) => {
        stopWaiting();
        if (isLate) onLate?.(value);
        resolve(value);
      },
      (error) => {
        stopWaiting();
        reject(error);
      },
    );
  });
}
