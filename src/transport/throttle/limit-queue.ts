/** One limit of an account: when each call may go. */
import { startTimer } from "../../async/start-timer.js";
import type { RateWindow } from "./throttle-options.js";

/**
 * Requests do not take equally long to reach the service: one that is sent a window after another may arrive a little
 * less than a window after it. So each call is sent this much later.
 */
export const ARRIVAL_MARGIN_MS = 100;

/** A call that waits for its turn. */
export interface WaitingCall {
  /** When it may go. It changes when a call before it gives up, or when the service holds calls back. */
  at: number;
  /** When it must go at the latest. */
  readonly latestAt: number;
  /** Its turn has come, at this time. */
  go(at: number): void;
  /** It cannot go in time: it takes no place. */
  giveUp(): void;
}

/**
 * Exact sliding windows: in any stretch of a window's length, at most the allowed calls are sent. First come, first
 * served. Times are those of `performance.now()`, which no change of the clock moves.
 */
export class LimitQueue {
  readonly #windows: readonly RateWindow[];
  /** The largest number of calls that any window counts. */
  readonly #longest: number;
  /** Start times, in order: of calls already sent, then the planned ones. */
  #times: number[] = [];
  #sent = 0;
  #waiting: WaitingCall[] = [];
  #heldUntil = Number.NEGATIVE_INFINITY;
  #stopTimer: () => void = () => {};

  constructor(windows: readonly RateWindow[]) {
    this.#windows = windows;
    this.#longest = Math.max(...windows.map(({ max }) => max));
  }

  /** When a call that comes now may go. */
  nextAt(now: number): number {
    const times = this.#times;
    let at = Math.max(now, this.#heldUntil);
    for (const { windowMs, max } of this.#windows) {
      const before = times[times.length - max];
      if (before !== undefined) at = Math.max(at, before + windowMs + ARRIVAL_MARGIN_MS);
    }
    return at;
  }

  /** Takes the place of a call that goes now. */
  take(now: number): void {
    this.#times.push(now);
    this.#sent += 1;
    this.#forgetOld();
  }

  /** Lets a call wait for its turn. */
  enqueue(call: WaitingCall): void {
    this.#waiting.push(call);
    this.#times.push(call.at);
    if (this.#waiting.length === 1) this.#startTimer();
  }

  /** A call gives up: those behind it move up. */
  remove(call: WaitingCall): void {
    const index = this.#waiting.indexOf(call);
    if (index < 0) return;
    this.#waiting.splice(index, 1);
    this.#plan();
  }

  /** Nothing goes before `until`. */
  holdUntil(until: number): void {
    if (until <= this.#heldUntil) return;
    this.#heldUntil = until;
    this.#plan();
  }

  /** A call that was counted at `before` really went at `after`. */
  correct(before: number, after: number): void {
    const index = this.#times.lastIndexOf(before, this.#sent - 1);
    if (index < 0) return;
    this.#times.splice(index, 1);
    let position = this.#sent - 1;
    while ((this.#times[position - 1] ?? after) > after) position -= 1;
    this.#times.splice(position, 0, after);
    this.#plan();
  }

  /** Says anew when each waiting call may go. */
  #plan(): void {
    const now = performance.now();
    const waiting = this.#waiting;
    const late: WaitingCall[] = [];
    this.#waiting = [];
    this.#times.length = this.#sent;
    for (const call of waiting) {
      const at = this.nextAt(now);
      if (at > call.latestAt) {
        late.push(call);
        continue;
      }
      call.at = at;
      this.#waiting.push(call);
      this.#times.push(at);
    }
    this.#startTimer();
    for (const call of late) call.giveUp();
  }

  /** Only a call that waits keeps the process alive. */
  #startTimer(): void {
    this.#stopTimer();
    const [first] = this.#waiting;
    if (first === undefined) return;
    this.#stopTimer = startTimer(Math.max(0, Math.ceil(first.at - performance.now())), () => this.#release());
  }

  #release(): void {
    const now = performance.now();
    const due: WaitingCall[] = [];
    for (let first = this.#waiting[0]; first !== undefined && first.at <= now; first = this.#waiting[0]) {
      this.#waiting.shift();
      this.#times[this.#sent] = now;
      this.#sent += 1;
      due.push(first);
    }
    this.#forgetOld();
    // The timer may be late: plan again from the real start times.
    this.#plan();
    for (const call of due) call.go(now);
  }

  /** Keeps as many times as any window counts. */
  #forgetOld(): void {
    const excess = this.#sent - this.#longest;
    if (excess <= this.#longest) return;
    this.#times.splice(0, excess);
    this.#sent -= excess;
  }
}
