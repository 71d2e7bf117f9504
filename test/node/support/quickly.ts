import { vi } from "vitest";

/** Lets time pass as fast as the work waits for it, if `setTimeout` is faked. */
export async function quickly<T>(work: Promise<T>): Promise<T> {
  let hasEnded = false;
  const end = () => {
    hasEnded = true;
  };
  work.then(end, end);
  while (!hasEnded) {
    await new Promise(setImmediate);
    await vi.advanceTimersByTimeAsync(50);
  }
  return work;
}
