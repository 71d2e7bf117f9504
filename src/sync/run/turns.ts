/**
 * Whose turn it is to send a request. Events come first, then what is due, then polls, then a pass over the whole list.
 */
import { MINUTE_MS } from "../../async/timers.js";
import type { RunBasis } from "./run-basis.js";

export type Lane = "event" | "due" | "poll" | "pass";

/** What {@link Turns} asks of the polls and passes. */
export interface OpenReadings {
  /** How long until a poll has something to do. */
  readonly pollInMs: number;
  readonly isPassOpen: boolean;
}

export class Turns {
  readonly #run: RunBasis;
  readonly #readings: () => OpenReadings;
  readonly #shares: Readonly<Record<Lane, readonly RequestShare[]>>;
  /** Several meetings may wait for a turn. They share one wait, because an event wakes only one. */
  #waiting: Promise<void> | undefined;

  constructor(run: RunBasis, readings: () => OpenReadings) {
    this.#run = run;
    this.#readings = readings;
    const { requestsPerMinute, follow } = run.plan;
    const twoThirds = () => new RequestShare((requestsPerMinute * 2) / 3, MINUTE_MS);
    this.#shares = {
      event: [],
      poll: [],
      due: [twoThirds()],
      // Spread over the minute. Without `follow`, nothing urgent can come.
      pass: follow ? [twoThirds(), new RequestShare(requestsPerMinute / 6, 10_000)] : [],
    };
  }

  /**
   * Resolves to `true` when a request may be sent, which then counts. `false`: the budget is used up, or something more
   * urgent is to be done first.
   */
  async next(lane: Lane): Promise<boolean> {
    const shares = this.#shares[lane];
    while (!this.#isOvertaken(lane)) {
      const now = this.#run.clock.now();
      const waitMs = Math.max(0, ...shares.map((share) => share.waitMs(now)));
      // Without a pass, nothing else needs the rest of the minute.
      const isFree = waitMs === 0 || (lane === "due" && !this.#readings().isPassOpen);
      if (isFree) for (const share of shares) share.count(now);
      if (isFree) return true;
      if (lane === "due") return false;
      this.#waiting ??= this.#wait(waitMs).finally(() => {
        this.#waiting = undefined;
      });
      await this.#waiting;
    }
    return false;
  }

  #isOvertaken(lane: Lane): boolean {
    const { inbox, requests } = this.#run;
    if (requests.isUsedUp()) return true;
    if (lane === "event") return false;
    return inbox.isReady || (lane === "pass" && this.#readings().pollInMs === 0);
  }

  /** Until then, an event, or the next poll. */
  async #wait(waitMs: number): Promise<void> {
    const { clock, inbox, signal, report } = this.#run;
    report.waiting("rate_limit", waitMs);
    const ms = Math.min(waitMs, this.#readings().pollInMs, inbox.readyInMs ?? waitMs);
    await clock.pause(ms, signal, inbox.arrival());
  }
}

/** At most `max` requests in any `ms` milliseconds. */
class RequestShare {
  readonly #max: number;
  readonly #ms: number;
  #times: number[] = [];

  constructor(max: number, ms: number) {
    this.#max = Math.max(1, Math.floor(max));
    this.#ms = ms;
  }

  /** How long until the next request is allowed. */
  waitMs(now: number): number {
    const earliest = this.#times.at(-this.#max);
    return earliest === undefined ? 0 : Math.max(0, earliest + this.#ms - now);
  }

  count(now: number): void {
    this.#times.push(now);
    if (this.#times.length >= 2 * this.#max) this.#times = this.#times.slice(-this.#max);
  }
}
