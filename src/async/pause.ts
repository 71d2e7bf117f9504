import { abortable } from "./abortable.js";
import { startTimer } from "./start-timer.js";

/**
 * Waits `ms` milliseconds, also longer than the longest timer. Rejects with the reason of `signal` as soon as `signal`
 * aborts. If `wake` resolves, the wait ends early.
 */
export async function pause(ms: number, signal?: AbortSignal | undefined, wake?: Promise<void>): Promise<void> {
  let stopTimer = () => {};
  const waited = new Promise<void>((resolve) => {
    stopTimer = startTimer(ms, resolve);
    wake?.then(resolve);
  });
  try {
    await abortable(waited, signal);
  } finally {
    stopTimer();
  }
}
