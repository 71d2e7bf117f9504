/** Waits while the service fails. */
import { MINUTE_MS } from "../../async/timers.js";
import { ApiError } from "../../errors/api-error.js";
import { ConnectionError, TimeoutError } from "../../errors/call-errors.js";
import { isRateLimited, isTemporary } from "../../errors/is-temporary.js";
import { hintMs } from "../../transport/retry-policy.js";
import type { RunBasis } from "./run-basis.js";

const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 60_000;
/** After this many failures in a row, a pause is not shorter than ours, even if the service asks for a shorter one. */
const MAX_SHORT_PAUSES = 5;
/** A run that catches up gives up after this time without a single success of the service. */
const GIVES_UP_MS = 10 * MINUTE_MS;
/** A connection that is lost so often at one piece is that piece's failure. */
const MAX_LOST = 5;

/** The pause after a temporary failure, in milliseconds: the one that the service asks for, else one that grows. */
export function pauseMsAfter(error: unknown, failuresBefore: number): number {
  const requestedMs = hintMs(error);
  if (requestedMs !== undefined && failuresBefore < MAX_SHORT_PAUSES) return requestedMs;
  return Math.max(requestedMs ?? 0, Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failuresBefore));
}

/** Whether the service as a whole seems to fail, and not one piece. */
const isLost = (error: unknown): error is ConnectionError | TimeoutError =>
  (error instanceof ConnectionError && error.retryable) || error instanceof TimeoutError;

const EARLY_STATUSES = [408, 425];

const isOutage = (error: unknown): boolean =>
  isTemporary(error) || (error instanceof ApiError && EARLY_STATUSES.includes(error.status));

export class Outages {
  readonly #run: RunBasis;
  #succeededAt: number;

  constructor(run: RunBasis) {
    this.#run = run;
    this.#succeededAt = run.clock.now();
  }

  /** Makes a request of the list, and repeats it after each temporary failure. */
  readonly ofList = <T>(request: () => Promise<T>): Promise<T> =>
    this.#repeat(request, isOutage, Number.POSITIVE_INFINITY);

  /** Makes a request of one piece. Waits for the rate limit, and a few times for a connection that is lost. */
  readonly ofPiece = <T>(request: () => Promise<T>): Promise<T> =>
    this.#repeat(request, (error) => isRateLimited(error) || isLost(error), MAX_LOST);

  async #repeat<T>(request: () => Promise<T>, isWaitedOut: (error: unknown) => boolean, maxLost: number): Promise<T> {
    const { requests, clock } = this.#run;
    let lost = 0;
    for (let failures = 0; ; failures += 1) {
      try {
        requests.begin();
        const result = await request();
        this.#succeededAt = clock.now();
        return result;
      } catch (error) {
        if (error instanceof ApiError && !isTemporary(error)) this.#succeededAt = clock.now();
        if (isLost(error)) lost += Math.max(1, error.attempts);
        if (!isWaitedOut(error) || lost >= maxLost) throw error;
        await this.#wait(error, failures);
      }
    }
  }

  async #wait(error: unknown, failures: number): Promise<void> {
    const { plan, requests, clock, signal, report } = this.#run;
    const pauseMs = pauseMsAfter(error, failures);
    requests.checkBudget(pauseMs);
    if (!plan.follow && clock.now() + pauseMs - this.#succeededAt >= GIVES_UP_MS) throw error;
    report.waiting(isRateLimited(error) ? "rate_limit" : "service", pauseMs);
    await clock.pause(pauseMs, signal);
  }
}
