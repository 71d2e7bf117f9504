/** Sends requests within the rate limit, and retries temporary failures. All waits use the clock of the export. */
import { ApiError } from "../../errors/api-error.js";
import { ResponseValidationError } from "../../errors/call-errors.js";
import { isRateLimited, isTemporary } from "../../errors/is-temporary.js";
import { type RateLimit, readRateLimit } from "../../schemas/rate-limit.js";
import { hintMs } from "../../transport/retry-policy.js";
import type { ExportClock } from "./export-clock.js";
import { RateGate } from "./rate-gate.js";

/** Between five attempts there are waits of 1, 2, 4 and 8 seconds. */
const MAX_ATTEMPTS = 5;
const BACKOFF_MS = 1000;
/** At the tenth 429 of one request, its error is thrown. */
const MAX_RATE_LIMITED = 10;
/** The wait after a 429 that does not say how long to wait. */
const RATE_LIMITED_WAIT_MS = 60_000;
/** A longer wait is not started: the error is thrown, so that the user can decide. */
const MAX_WAIT_MS = 3_600_000;

export interface PaceOptions {
  requestsPerMinute: number;
  clock: ExportClock;
  /** Called before each wait, with its length in milliseconds. */
  onWait(ms: number): void;
}

export class PacedRequests {
  readonly #options: PaceOptions;
  readonly #gate: RateGate;

  constructor(options: PaceOptions) {
    this.#options = options;
    this.#gate = new RateGate({ ...options, perMinute: options.requestsPerMinute });
  }

  /** How many requests were sent. */
  get count(): number {
    return this.#gate.count;
  }

  /** Waits until the rate limit allows a request, then calls `request`, which sends one. */
  async send<T extends { rateLimit?: RateLimit | undefined }>(
    request: () => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    await this.#gate.enter(signal);
    let rateLimit: RateLimit | undefined;
    try {
      const result = await request();
      rateLimit = result.rateLimit;
      return result;
    } catch (error) {
      rateLimit = rateLimitOf(error);
      // This happens before `leave`, which lets waiting requests continue.
      this.holdBackAfter(error);
      throw error;
    } finally {
      this.#gate.leave(rateLimit);
    }
  }

  /**
   * Repeats `work` while its failure is temporary: five attempts with growing waits. A 429 does not count as an
   * attempt. It has already paused all requests for as long as the service asks.
   */
  async withRetries<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const retries = new Retries();
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        const waitMs = retries.nextWaitMs(error);
        if (waitMs === undefined) throw error;
        if (!isRateLimited(error)) await this.#wait(waitMs, signal);
      }
    }
  }

  /** After a 429, pauses all requests for as long as the response asks. Other errors do nothing. */
  holdBackAfter(error: unknown): void {
    if (!isRateLimited(error)) return;
    const waitMs = rateLimitedWaitMs(error);
    if (waitMs <= MAX_WAIT_MS) this.#gate.pause(waitMs);
  }

  async #wait(waitMs: number, signal: AbortSignal): Promise<void> {
    const { clock, onWait } = this.#options;
    onWait(waitMs);
    await clock.sleep(waitMs, signal);
  }

  /** Sends a request, and repeats it while its failure is temporary. */
  sendWithRetries<T extends { rateLimit?: RateLimit | undefined }>(
    request: () => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    return this.withRetries(() => this.send(request, signal), signal);
  }
}

/** How often one request has failed, and how long to wait before the next attempt. */
class Retries {
  #failures = 0;
  #rateLimited = 0;

  /** In milliseconds; `undefined` if there is no further attempt. */
  nextWaitMs(error: unknown): number | undefined {
    if (!isTemporary(error)) return undefined;
    if (isRateLimited(error)) this.#rateLimited += 1;
    else this.#failures += 1;
    if (this.#failures >= MAX_ATTEMPTS || this.#rateLimited >= MAX_RATE_LIMITED) return undefined;
    const backoffMs = BACKOFF_MS * 2 ** (this.#failures - 1);
    const waitMs = isRateLimited(error) ? rateLimitedWaitMs(error) : (hintMs(error) ?? backoffMs);
    return waitMs <= MAX_WAIT_MS ? waitMs : undefined;
  }
}

const rateLimitedWaitMs = (error: unknown) => hintMs(error) ?? RATE_LIMITED_WAIT_MS;

function rateLimitOf(error: unknown): RateLimit | undefined {
  if (error instanceof ApiError) return error.rateLimit;
  return error instanceof ResponseValidationError ? readRateLimit(error.headers) : undefined;
}
