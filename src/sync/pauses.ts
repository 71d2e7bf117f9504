import type { Clock } from "../async/clock.js";
import { HOUR_MS } from "../async/timers.js";

/** The pause after so many failures in a row: it doubles, up to an hour. */
export const pauseMs = (pollMs: number, failures: number): number =>
  Math.min(Math.max(HOUR_MS, pollMs), pollMs * 2 ** Math.min(Math.max(failures - 1, 0), 40));

/**
 * What has failed waits, longer each time; meanwhile everything else has its turn. What waits is a kind of request
 * (`transcript`), a reading of the list (`poll`, `pass`) or a meeting that is requested by its id. A piece of a meeting has
 * its pause in the memory of the meeting.
 */
export class Pauses {
  readonly #clock: Clock;
  readonly #pollMs: number;
  readonly #pauses = new Map<string, { readonly until: number; readonly failures: number; readonly since: number }>();

  constructor(clock: Clock, pollMs: number) {
    this.#clock = clock;
    this.#pollMs = pollMs;
  }

  /** How many have a pause, or have failed. */
  get size(): number {
    for (const what of this.#pauses.keys()) this.ms(what);
    return this.#pauses.size;
  }

  /** How long until one of them goes on, an hour at most. */
  get shortestMs(): number {
    let shortest = HOUR_MS;
    for (const what of this.#pauses.keys()) shortest = Math.min(shortest, this.ms(what) || HOUR_MS);
    return shortest;
  }

  /** How long it still waits. */
  ms(what: string): number {
    const pause = this.#pauses.get(what);
    const ms = Math.max(0, (pause?.until ?? 0) - this.#clock.now());
    if (pause?.failures === 0 && ms === 0) this.#pauses.delete(what);
    return ms;
  }

  /** How many times in a row it has failed. */
  failures(what: string): number {
    return this.#pauses.get(what)?.failures ?? 0;
  }

  /** Since when it has failed, by the clock. */
  since(what: string): number {
    return this.failures(what) === 0 ? this.#clock.now() : (this.#pauses.get(what)?.since ?? 0);
  }

  /** The pause after the next failure, if nobody asks for another one. */
  nextMs(what: string): number {
    return pauseMs(this.#pollMs, this.failures(what) + 1);
  }

  failed(what: string, ms = this.nextMs(what)): void {
    this.wait(what, ms, this.failures(what) + 1);
  }

  succeeded(what: string): void {
    this.#pauses.delete(what);
  }

  /** Without `failures`: it has not failed, and is requested again after `ms`. */
  wait(what: string, ms: number, failures = 0): void {
    this.#pauses.set(what, { until: this.#clock.now() + ms, failures, since: this.since(what) });
  }
}
