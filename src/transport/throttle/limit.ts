/** One limit of an account: when its calls were sent, and when the waiting calls will be sent. */
import type { RateWindow } from "./throttle-options.js";

/**
 * Some requests reach the service faster than others. If two are sent exactly one window apart, they may arrive less
 * than one window apart. So the second is sent this much later, in milliseconds.
 */
export const ARRIVAL_MARGIN_MS = 100;

/**
 * Exact sliding windows: any interval of a window's length contains at most the allowed number of calls. Times come
 * from `performance.now()`, which does not change with the system clock.
 */
export class Limit {
  readonly #windows: readonly RateWindow[];
  /** The largest `max` of all windows. */
  readonly #largestMax: number;
  /** In ascending order: the times of the calls that were sent, then those of the waiting calls. */
  readonly #times: number[] = [];
  #sent = 0;
  #heldUntil = Number.NEGATIVE_INFINITY;

  constructor(windows: readonly RateWindow[]) {
    this.#windows = windows;
    this.#largestMax = Math.max(...windows.map(({ max }) => max));
  }

  /** Returns `at` if one more call may be sent at that time; otherwise a later time, before which none may be sent. */
  notBefore(at: number): number {
    const times = this.#times;
    const index = this.#indexAfter(at);
    let later = Math.max(at, this.#heldUntil);
    for (const { windowMs, max } of this.#windows) {
      // Each run of `max` consecutive calls around `at` fills a window: one more call within it would be too many.
      for (let begin = Math.max(0, index - max); begin <= index; begin += 1) {
        const first = times[begin];
        const last = times[begin + max - 1];
        if (first === undefined || last === undefined) break;
        const fullFor = windowMs + ARRIVAL_MARGIN_MS;
        if (Math.max(at, last) < Math.min(at, first) + fullFor) later = Math.max(later, first + fullFor);
      }
    }
    return later;
  }

  /** Counts a call that is sent now. */
  send(now: number): void {
    this.plan(now);
    this.#sent += 1;
    // Keeps at most twice as many times as any window counts, then removes the oldest.
    const excess = this.#sent - this.#largestMax;
    if (excess <= this.#largestMax) return;
    this.#times.splice(0, excess);
    this.#sent -= excess;
  }

  /** Counts a waiting call, which will be sent at this time. */
  plan(at: number): void {
    this.#times.splice(this.#indexAfter(at), 0, at);
  }

  /** Removes the waiting calls from the count. */
  forgetPlans(): void {
    this.#times.length = this.#sent;
  }

  /** No call may be sent before `until`. */
  holdUntil(until: number): void {
    this.#heldUntil = Math.max(this.#heldUntil, until);
  }

  #indexAfter(at: number): number {
    let index = this.#times.length;
    while ((this.#times[index - 1] ?? at) > at) index -= 1;
    return index;
  }
}
