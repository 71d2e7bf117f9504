/** One limit of an account: when its calls went, and when those that wait are to go. */
import type { RateWindow } from "./throttle-options.js";

/**
 * Requests do not take equally long to reach the service: one that is sent a window after another may arrive a little
 * less than a window after it. So each call is sent this much later.
 */
export const ARRIVAL_MARGIN_MS = 100;

/**
 * Exact sliding windows: any stretch of a window's length holds at most the allowed calls. Times are those of
 * `performance.now()`, which no change of the clock moves.
 */
export class Limit {
  readonly #windows: readonly RateWindow[];
  /** The largest number of calls that any window counts. */
  readonly #longest: number;
  /** In order: of the calls that went, then of those that wait. */
  readonly #times: number[] = [];
  #sent = 0;
  #heldUntil = Number.NEGATIVE_INFINITY;

  constructor(windows: readonly RateWindow[]) {
    this.#windows = windows;
    this.#longest = Math.max(...windows.map(({ max }) => max));
  }

  /** `at` if one more call may go then; otherwise a later time, before which none may go. */
  notBefore(at: number): number {
    const times = this.#times;
    const index = this.#indexAfter(at);
    let later = Math.max(at, this.#heldUntil);
    for (const { windowMs, max } of this.#windows) {
      // Each row of `max` consecutive calls around `at`: one more call in their window would be too many.
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

  /** Counts a call that goes now. */
  send(now: number): void {
    this.plan(now);
    this.#sent += 1;
    // As many as any window counts are kept.
    const excess = this.#sent - this.#longest;
    if (excess <= this.#longest) return;
    this.#times.splice(0, excess);
    this.#sent -= excess;
  }

  /** Counts a call that is to go at this time. */
  plan(at: number): void {
    this.#times.splice(this.#indexAfter(at), 0, at);
  }

  /** Counts only the calls that went. */
  forgetPlans(): void {
    this.#times.length = this.#sent;
  }

  /** Nothing goes before `until`. */
  holdUntil(until: number): void {
    this.#heldUntil = Math.max(this.#heldUntil, until);
  }

  #indexAfter(at: number): number {
    let index = this.#times.length;
    while ((this.#times[index - 1] ?? at) > at) index -= 1;
    return index;
  }
}
