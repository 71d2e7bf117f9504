import { abortable } from "./abort.js";

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** The longest delay of a timer, in milliseconds. With a longer delay, a timer fires at once. */
export const MAX_TIMER_MS = 2_147_483_647;

/** Calls `callback` after `ms` milliseconds, however many they are. Returns a function that stops the timer. */
export function startTimer(ms: number, callback: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>;
  const wait = (remainingMs: number) => {
    const stepMs = Math.min(remainingMs, MAX_TIMER_MS);
    timer = setTimeout(() => (remainingMs > stepMs ? wait(remainingMs - stepMs) : callback()), stepMs);
  };
  wait(ms);
  return () => clearTimeout(timer);
}

/** For a lease: calls `renew` every `ms`, without keeping the process alive. Returns a function that stops it. */
export function renewEvery(ms: number, renew: () => void): () => void {
  const timer = setInterval(renew, ms);
  (timer as { unref?: () => void }).unref?.();
  return () => clearInterval(timer);
}

/** Waits `ms` milliseconds, or until `wake` resolves. Rejects with the reason of `signal` as soon as it aborts. */
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
