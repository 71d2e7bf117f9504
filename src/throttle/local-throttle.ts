import { Clock } from "../async/clock.js";
import type { LimitName } from "../endpoints/limits.js";
import type { Throttle } from "./throttle.js";
import { type ThrottleLimits, windowsOf } from "./throttle-options.js";
import { type CallCounter, CallQueue } from "./waiting-calls.js";

function localCounter(limits: ThrottleLimits | undefined, clock: Clock): CallCounter {
  const windows = windowsOf(limits);
  /** When the calls of each limit were sent, in ascending order. */
  const sent: Record<LimitName, number[]> = { sendBot: [], upload: [], createWebhook: [], other: [] };
  const pausedUntil: Partial<Record<LimitName, number>> = {};

  /** In any window there are at most `max` calls: the next one is sent a window after the call `max` places before it. */
  const freeAt = (name: LimitName): number =>
    Math.max(...windows[name].map(({ windowMs, max }) => (sent[name].at(-max) ?? Number.NEGATIVE_INFINITY) + windowMs));

  function count(name: LimitName, at: number): void {
    const times = sent[name];
    times.push(at);
    // Only as many times count as the largest window allows. They are removed rarely, in one go.
    const largest = Math.max(...windows[name].map(({ max }) => max));
    if (times.length > 2 * largest) times.splice(0, times.length - largest);
  }

  return {
    windows,
    spreadMs: 0,
    take(names) {
      const now = clock.now();
      const pauseMs = Math.max(0, ...names.map((name) => (pausedUntil[name] ?? now) - now));
      const waitMs = Math.max(pauseMs, ...names.map((name) => freeAt(name) - now));
      if (waitMs > 0) return { waitMs, pauseMs };
      for (const name of names) count(name, now);
      return "now";
    },
    pause(name, pauseMs) {
      pausedUntil[name] = Math.max(pausedUntil[name] ?? 0, clock.now() + pauseMs);
    },
  };
}

export function localThrottle(limits?: ThrottleLimits): Throttle {
  const clock = new Clock();
  return new CallQueue(localCounter(limits, clock), clock);
}
