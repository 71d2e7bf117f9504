/** `service.clock`: the emulator's time. */
import type { EmulatorContext } from "../state/context.js";

/** The emulator's clock. */
export interface ClockControls {
  /** Milliseconds since 1970. */
  now(): number;
  /**
   * Advances the time: rate-limit windows end, links expire, and the bot and meeting steps and delivery retries that
   * are due are run. Everything but the deliveries has happened when it returns; await the promise for those.
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
