/** The time that an export waits by. */
import { setTimeout } from "node:timers/promises";
import { MAX_TIMER_MS } from "../../async/timer-limit.js";

export interface ExportClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after `ms` milliseconds; rejects with the reason of `signal` when that aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export const realClock: ExportClock = {
  now: () => Date.now(),
  async sleep(ms, signal) {
    await setTimeout(Math.min(ms, MAX_TIMER_MS), undefined, { signal }).catch(() => signal.throwIfAborted());
  },
};

/** How a part of an export waits. */
export interface Waiting {
  clock: ExportClock;
  signal: AbortSignal;
  /** Told before each wait, in milliseconds. */
  onWait(ms: number): unknown;
}
