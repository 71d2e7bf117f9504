/**
 * Whose turn it is to send a request. Events come first, then what is due, then polls, then a pass over the whole list.
 */
import type { Clock } from "../async/clock.js";
import { MINUTE_MS } from "../async/timers.js";
import type { EventInbox } from "./inbox.js";
import type { RunReport } from "./report.js";
import { RequestShare, type RunRequests } from "./requests.js";

export type Lane = "event" | "due" | "poll" | "pass";

interface LaneOptions {
  readonly clock: Clock;
  readonly inbox: EventInbox;
  readonly requests: RunRequests;
  readonly requestsPerMinute: number;
  readonly follow: boolean;
  readonly signal: AbortSignal;
  readonly pollInMs: () => number;
  readonly isPassOpen: () => boolean;
  readonly report: RunReport;
}

export class Turns {
  readonly #options: LaneOptions;
  readonly #shares: Readonly<Record<Lane, readonly RequestShare[]>>;

  constructor(options: LaneOptions) {
    this.#options = options;
    const { requestsPerMinute } = options;
    const twoThirds = () => new RequestShare((requestsPerMinute * 2) / 3, MINUTE_MS);
    this.#shares = {
      event: [],
      poll: [],
      due: [twoThirds()],
      // Spread over the minute. Without `follow`, nothing urgent can come.
      pass: options.follow ? [twoThirds(), new RequestShare(requestsPerMinute / 6, 10_000)] : [],
    };
  }

  /**
   * Resolves to `true` when a request may be sent, which then counts. `false`: the budget is used up, or something more
   * urgent is to be done first.
   */
  async next(lane: Lane): Promise<boolean> {
    const shares = this.#shares[lane];
    while (!this.#isOvertaken(lane)) {
      const now = this.#options.clock.now();
      const waitMs = Math.max(0, ...shares.map((share) => share.waitMs(now)));
      // Without a pass, nothing else needs the rest of the minute.
      const isFree = waitMs === 0 || (lane === "due" && !this.#options.isPassOpen());
      if (isFree) for (const share of shares) share.count(now);
      if (isFree) return true;
      if (lane === "due") return false;
      await this.#wait(waitMs);
    }
    return false;
  }

  #isOvertaken(lane: Lane): boolean {
    const { inbox, requests, pollInMs } = this.#options;
    if (requests.isUsedUp()) return true;
    if (lane === "event") return false;
    return inbox.isReady || (lane === "pass" && pollInMs() === 0);
  }

  /** Until then, an event, or the next poll. */
  async #wait(waitMs: number): Promise<void> {
    const { clock, inbox, pollInMs, signal, report } = this.#options;
    report.waiting("rate_limit", waitMs);
    await clock.pause(Math.min(waitMs, pollInMs(), inbox.readyInMs ?? waitMs), signal, inbox.arrival());
  }
}
