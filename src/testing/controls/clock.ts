/** `service.clock`: the emulator's own time. */
import type { InternalClock } from "../state/clock.js";

export interface ClockControls {
  /** Milliseconds since 1970. */
  now(): number;
  /**
   * Moves time on: rate-limit windows end, links expire, bots and meetings go their way, retries of deliveries come due. All
   * of that has happened when it returns, but for deliveries: await the promise for those.
   */
  advance(ms: number): Promise<void>;
}

export const clockControls = (clock: InternalClock, settled: () => Promise<void>): ClockControls => ({
  now: () => clock.now(),
  advance(ms) {
    clock.advance(ms);
    return settled();
  },
});
