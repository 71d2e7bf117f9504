import { pause } from "../../async/timers.js";

/** The clock that an export or a walk uses for its waits. */
export interface ExportClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after `ms` milliseconds; rejects with the reason of `signal` when that aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export const realClock: ExportClock = {
  now: () => Date.now(),
  sleep: (ms, signal) => pause(ms, signal),
};
