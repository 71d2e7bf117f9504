/** Sends requests within the rate limit, and again if that may help, all on the clock of the export. */
import { ApiError } from "../../errors/api-error.js";
import { isRateLimited, isTemporary } from "../../errors/is-temporary.js";
import { ResponseValidationError } from "../../errors/response-validation-error.js";
import { type RateLimit, readRateLimit } from "../../schemas/rate-limit.js";
import { hintMs } from "../../transport/retry-policy.js";
import type { ExportClock } from "./export-clock.js";
import { RateGate } from "./rate-gate.js";

/** Waits of 1, 2, 4 and 8 seconds lie between five attempts. */
const MAX_ATTEMPTS = 5;
const BACKOFF_MS = 1000;
/** How many times in a row a 429 is waited for. */
const MAX_RATE_LIMITED = 10;
/** After a 429 that does not say how long to wait. */
const RATE_LIMITED_WAIT_MS = 60_000;
/** Whether to wait longer is for the user to decide. */
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

  /** Waits for a place within the rate limit, then calls `request`, which sends one request. */
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
      // Before the gate lets a request through that waited for this one.
      this.holdBackAfter(error);
      throw error;
    } finally {
      this.#gate.leave(rateLimit);
    }
  }

  /**
   * Repeats `work` while its failure is temporary: five attempts with growing waits. A 429 is no failed attempt: it has
   * held back every request for as long as the service asks.
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

  /** Holds back every request for as long as a 429 asks. Nothing else holds any back. */
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

  /** Sends a request, and again while its failure is temporary. */
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

  /** In milliseconds; `undefined` if there is to be no further attempt. */
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
