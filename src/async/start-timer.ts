import { MAX_TIMER_MS } from "./timer-limit.js";

/**
 * Calls `callback` after `ms` milliseconds. If that is longer than the longest timer, several timers follow each other.
 * Returns a function that stops the timer.
 */
export function startTimer(ms: number, callback: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>;
  const wait = (remainingMs: number) => {
    const stepMs = Math.min(remainingMs, MAX_TIMER_MS);
    timer = setTimeout(() => (remainingMs > stepMs ? wait(remainingMs - stepMs) : callback()), stepMs);
  };
  wait(ms);
  return () => clearTimeout(timer);
}
