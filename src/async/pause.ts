import { abortable } from "./abortable.js";
import { MAX_TIMER_MS } from "./timer-limit.js";

/**
 * Waits `ms` milliseconds, however many: above the limit of a timer, several timers follow each other. Rejects with the
 * reason of `signal` as soon as it aborts. `wake` ends the wait early.
 */
export async function pause(ms: number, signal?: AbortSignal | undefined, wake?: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const waited = new Promise<void>((resolve) => {
    const wait = (remainingMs: number) => {
      const stepMs = Math.min(remainingMs, MAX_TIMER_MS);
      timer = setTimeout(() => (remainingMs > stepMs ? wait(remainingMs - stepMs) : resolve()), stepMs);
    };
    wait(ms);
    wake?.then(resolve);
  });
  try {
    await abortable(waited, signal);
  } finally {
    clearTimeout(timer);
  }
}
