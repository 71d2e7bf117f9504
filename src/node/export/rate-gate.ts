/** Lets requests through no faster than a limit, and holds them back when the service says that a window is used up. */
import type { RateLimit } from "../../schemas/rate-limit.js";
import type { Waiting } from "./export-clock.js";

const MINUTE = 60_000;

export interface RateGateOptions extends Waiting {
  perMinute: number;
}

/**
 * A request keeps its place from when it begins until a minute after its answer: so, however long it is on its way, the service
 * never counts more of them in a minute.
 */
export class RateGate {
  readonly #options: RateGateOptions;
  /** When the answers of the last minute came. */
  readonly #ends: number[] = [];
  #inFlight = 0;
  /** What the latest answer said. */
  #told: RateLimit | undefined;
  /** Until one came, nothing is known of what other runs have used up. */
  #answered = false;
  #pausedUntil = 0;
  /** Those who want to enter wait for one another, so that only one watches the time. */
  #queue: Promise<unknown> = Promise.resolve();
  #onLeave: () => void = () => {};
  /** Requests let through. */
  count = 0;

  constructor(options: RateGateOptions) {
    this.#options = options;
  }

  /** Resolves when one more request may begin. Each one that entered has to {@link leave}. */
  enter(): Promise<void> {
    const entered = this.#queue.then(() => this.#enter());
    this.#queue = entered.catch(() => {});
    return entered;
  }

  /** The request has ended; `rateLimit` is what its answer said. */
  leave(rateLimit: RateLimit | undefined): void {
    this.#inFlight -= 1;
    this.#ends.push(this.#options.clock.now());
    this.#answered = true;
    if (rateLimit !== undefined && isNews(rateLimit, this.#told)) this.#told = rateLimit;
    this.#onLeave();
  }

  /** Lets nothing through for so long. */
  pause(ms: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#options.clock.now() + ms);
  }

  async #enter(): Promise<void> {
    const { clock, signal, onWait } = this.#options;
    for (;;) {
      signal.throwIfAborted();
      const ms = this.#waitMs(clock.now());
      if (ms <= 0) break;
      if (this.#inFlight > 0) {
        // Their answers may say more. An abort ends them, and so this wait, too.
        await new Promise<void>((resolve) => {
          this.#onLeave = resolve;
        });
      } else {
        this.#told = undefined;
        onWait(ms);
        await clock.sleep(ms, signal);
      }
    }
    this.#inFlight += 1;
    this.count += 1;
  }

  #waitMs(now: number): number {
    if (now < this.#pausedUntil) return this.#pausedUntil - now;
    while (this.#ends.length > 0 && this.#ends[0]! <= now - MINUTE) this.#ends.shift();
    const full = this.#ends.length + this.#inFlight >= this.#options.perMinute;
    if (full) return (this.#ends[0] ?? now) + MINUTE - now;
    if (!this.#answered) return this.#inFlight > 0 ? MINUTE : 0;
    // Whether the answer counted those in flight is not known: it is taken that it did not.
    if (this.#told === undefined || this.#told.remaining > this.#inFlight) return 0;
    // The service's clock may be wrong against this one, but its window is known to be a minute.
    return Math.min(this.#told.resetAt.getTime() - now, MINUTE);
  }
}

/** Answers may overtake one another: of one window, the one with the least left is the latest. */
const isNews = (rateLimit: RateLimit, told: RateLimit | undefined) =>
  told === undefined ||
  rateLimit.resetAt > told.resetAt ||
  (rateLimit.resetAt.getTime() === told.resetAt.getTime() && rateLimit.remaining < told.remaining);
