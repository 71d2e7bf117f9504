/** Delays requests so that they stay within a limit per minute, and within the limit that the service reports. */
import type { RateLimit } from "../../schemas/rate-limit.js";
import type { ExportClock } from "./export-clock.js";

const MINUTE_MS = 60_000;

export interface RateGateOptions {
  /** How many requests may start in any minute. */
  perMinute: number;
  clock: ExportClock;
  /** Called before each wait, with its length in milliseconds. */
  onWait(ms: number): void;
}

/**
 * A request counts against the limit from its start until a minute after its response. So the service never counts more
 * requests in a minute than the limit, however long they take.
 */
export class RateGate {
  readonly #options: RateGateOptions;
  /** When the responses of the last minute arrived. */
  readonly #ends: number[] = [];
  #inFlight = 0;
  /** The rate limit in the latest response. */
  #latestRateLimit: RateLimit | undefined;
  /** False until the first response. Before it, the rest of the service's limit is unknown. */
  #hasResponse = false;
  #pausedUntil = 0;
  /** Callers of {@link enter} wait for one another, so that only one of them watches the time. */
  #queue: Promise<unknown> = Promise.resolve();
  #onLeave: () => void = () => {};
  #count = 0;

  constructor(options: RateGateOptions) {
    this.#options = options;
  }

  /** How many requests were started. */
  get count(): number {
    return this.#count;
  }

  /** Resolves when one more request may start. Call {@link leave} when the request has ended. */
  enter(signal: AbortSignal): Promise<void> {
    const entered = this.#queue.then(() => this.#enter(signal));
    this.#queue = entered.catch(() => {});
    return entered;
  }

  /** The request has ended; `rateLimit` comes from its response. */
  leave(rateLimit: RateLimit | undefined): void {
    this.#inFlight -= 1;
    this.#ends.push(this.#options.clock.now());
    this.#hasResponse = true;
    if (rateLimit !== undefined && isNewer(rateLimit, this.#latestRateLimit)) this.#latestRateLimit = rateLimit;
    this.#onLeave();
  }

  /** Starts no request for `ms` milliseconds. */
  pause(ms: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#options.clock.now() + ms);
  }

  async #enter(signal: AbortSignal): Promise<void> {
    const { clock, onWait } = this.#options;
    for (;;) {
      if (signal.aborted) throw signal.reason;
      const ms = this.#waitMs(clock.now());
      if (ms <= 0) break;
      if (this.#inFlight > 0) {
        // The responses of the requests in flight may shorten the wait. An abort ends those requests, and so this wait.
        await new Promise<void>((resolve) => {
          this.#onLeave = resolve;
        });
      } else {
        this.#latestRateLimit = undefined;
        onWait(ms);
        await clock.sleep(ms, signal);
      }
    }
    this.#inFlight += 1;
    this.#count += 1;
  }

  #waitMs(now: number): number {
    if (now < this.#pausedUntil) return this.#pausedUntil - now;
    return Math.max(this.#ownWaitMs(now), this.#serviceWaitMs(now));
  }

  /** The wait until the limit per minute allows one more request. */
  #ownWaitMs(now: number): number {
    const expired = this.#ends.findIndex((end) => end > now - MINUTE_MS);
    this.#ends.splice(0, expired === -1 ? this.#ends.length : expired);
    if (this.#ends.length + this.#inFlight < this.#options.perMinute) return 0;
    return (this.#ends[0] ?? now) + MINUTE_MS - now;
  }

  /** The wait until the service's window ends, if no request remains in it. */
  #serviceWaitMs(now: number): number {
    if (!this.#hasResponse) return this.#inFlight > 0 ? MINUTE_MS : 0;
    // It is unknown whether the response counted the requests in flight: assume that it did not.
    if (this.#latestRateLimit === undefined || this.#latestRateLimit.remaining > this.#inFlight) return 0;
    // The two clocks may differ, but the service's window is known to be a minute.
    return Math.min(this.#latestRateLimit.resetAt.getTime() - now, MINUTE_MS);
  }
}

/** Responses may overtake one another. In one window, the response with the smallest remainder is the latest. */
const isNewer = (rateLimit: RateLimit, previous: RateLimit | undefined) =>
  previous === undefined ||
  rateLimit.resetAt > previous.resetAt ||
  (rateLimit.resetAt.getTime() === previous.resetAt.getTime() && rateLimit.remaining < previous.remaining);
