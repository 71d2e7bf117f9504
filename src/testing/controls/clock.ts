/** `service.clock`: the emulator's time. */
import type { EmulatorContext } from "../state/context.js";

/** The emulator's clock. */
export interface ClockControls {
  /** The emulator's time, in milliseconds since 1970. */
  now(): number;
  /**
   * Advances the time. Rate-limit windows end, links expire, and due steps of bots and meetings and due delivery
   * retries are run. Everything except the deliveries has happened when the method returns. The promise resolves when
   * the deliveries have ended, too.
   */
  advance(ms: number): Promise<void>;
}

/** The accounts of an emulator share one clock: it moves for all of them. */
export const clockControls = (
  accounts: readonly [EmulatorContext, ...EmulatorContext[]],
  settled: () => Promise<void>,
): ClockControls => ({
  now: () => accounts[0].clock.now(),
  advance(ms) {
    for (const { clock } of accounts) clock.advance(ms);
    return settled();
  },
});
