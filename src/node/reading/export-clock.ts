import { pause } from "../../async/pause.js";

/** The time that an export waits by. */
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
