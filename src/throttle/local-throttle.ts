/** A throttle that enforces the limits of one account within one process. */

import { Clock } from "../async/clock.js";
import type { LimitName } from "../endpoints/limits.js";
import { CallQueue, MOST_SLOTS, type SlotAnswer, type SlotSource } from "./call-queue.js";
import type { Throttle } from "./throttle.js";
import { type ThrottleLimits, type WindowsByLimit, windowsOf } from "./throttle-options.js";

/** When the calls of a limit were sent, in ascending order, and how long the service's own pause lasts. */
interface LimitState {
  times: number[];
  pausedUntil: number;
}

const newState = (): LimitState => ({ times: [], pausedUntil: Number.NEGATIVE_INFINITY });

/**
 * Exact sliding windows: any interval of a window's length contains at most the allowed number of calls. Slots are taken
 * when they begin, because no other process can take them.
 */
class LocalSlots implements SlotSource {
  readonly windows: WindowsByLimit;
  readonly #states: Readonly<Record<LimitName, LimitState>> = {
    sendBot: newState(),
    upload: newState(),
    createWebhook: newState(),
    other: newState(),
  };

  readonly #clock: Clock;

  constructor(limits: ThrottleLimits | undefined, clock: Clock) {
    this.windows = windowsOf(limits);
    this.#clock = clock;
  }

  take(limits: readonly LimitName[], { length }: readonly number[]): SlotAnswer {
    const now = this.#clock.now();
    const pauseMs = Math.max(0, ...limits.map((name) => this.#states[name].pausedUntil - now));
    const next = (planned: readonly number[] = []) =>
      Math.max(planned.at(-1) ?? now + pauseMs, ...limits.map((name) => this.#earliest(name, planned)));
    const taken: number[] = [];
    while (taken.length < length && next() <= now) {
      for (const name of limits) this.#count(name, now);
      taken.push(0);
    }
    const planned: number[] = [];
    if (taken.length < length) while (planned.length < MOST_SLOTS) planned.push(next(planned));
    const waits = planned.map((at) => at - now);
    return { taken, planned: waits, askInMs: Math.ceil(waits[0] ?? 0), pauseMs };
  }

  pause(limit: LimitName, pauseMs: number): void {
    const state = this.#states[limit];
    state.pausedUntil = Math.max(state.pausedUntil, this.#clock.now() + pauseMs);
  }

  /** When a limit allows the slot after those that were counted and the `planned` ones. */
  #earliest(name: LimitName, planned: readonly number[]): number {
    const { times } = this.#states[name];
    const { length } = planned;
    // The slot begins one window after the slot that is `max` places before it.
    const ends = this.windows[name].map(({ windowMs, max }) => {
      const before = length < max ? times[times.length - max + length] : planned[length - max];
      return before === undefined ? Number.NEGATIVE_INFINITY : before + windowMs;
    });
    return Math.max(...ends);
  }

  #count(name: LimitName, at: number): void {
    const { times } = this.#states[name];
    times.push(at);
    // Only as many times count as the largest window allows. They are removed rarely, in one go.
    const largest = Math.max(...this.windows[name].map(({ max }) => max));
    if (times.length > 2 * largest) times.splice(0, times.length - largest);
  }
}

export function localThrottle(limits?: ThrottleLimits): Throttle {
  const clock = new Clock();
  return new CallQueue(new LocalSlots(limits, clock), clock);
}
