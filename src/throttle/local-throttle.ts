import { Clock } from "../async/clock.js";
import type { LimitName } from "../endpoints/limits.js";
import { CallQueue, type SlotAnswer, type SlotQuestion, type SlotSource } from "./call-queue.js";
import type { Throttle } from "./throttle.js";
import { type ThrottleLimits, type WindowsByLimit, windowsOf } from "./throttle-options.js";

/** When the calls of a limit were sent, in ascending order, and how long the service's own pause lasts. */
interface LimitState {
  times: number[];
  pausedUntil: number;
}

const newState = (): LimitState => ({ times: [], pausedUntil: Number.NEGATIVE_INFINITY });

/** Exact sliding windows. Slots are taken when they begin, because no other process can take them. */
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

  take({ limits, ahead }: SlotQuestion): SlotAnswer {
    const now = this.#clock.now();
    const pauseMs = Math.max(0, ...limits.map((name) => this.#states[name].pausedUntil - now));
    const earliest = limits.map((name, index) => this.#earliest(name, ahead[index] ?? 0, now + pauseMs));
    const waitMs = Math.max(...earliest) - now;
    if (waitMs > 0) return { ok: false, waitMs, askInMs: waitMs, pauseMs };
    for (const name of limits) this.#count(name, now);
    return { ok: true, inMs: 0 };
  }

  pause(limit: LimitName, pauseMs: number): void {
    const state = this.#states[limit];
    state.pausedUntil = Math.max(state.pausedUntil, this.#clock.now() + pauseMs);
  }

  /**
   * When a limit allows a call, not before `from`, if `ahead` other calls are sent first. The slot begins one window
   * after the slot that is `max` places before it.
   */
  #earliest(name: LimitName, ahead: number, from: number): number {
    const { times } = this.#states[name];
    const starts = this.windows[name].map(({ windowMs, max }) => {
      const before = times.at((ahead % max) - max) ?? Number.NEGATIVE_INFINITY;
      return Math.max(from, before + windowMs) + Math.floor(ahead / max) * windowMs;
    });
    return Math.max(...starts);
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
