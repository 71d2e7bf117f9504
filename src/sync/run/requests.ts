/** The requests of one run: their pace, their number, and the budget that limits them. */
import { noStore } from "../../async/no-store.js";
import { HOUR_MS, MINUTE_MS } from "../../async/timers.js";
import { isRateLimited } from "../../errors/is-temporary.js";
import { atOwnPace, type Pace } from "../../resources/at-own-pace.js";
import type { Throttle, ThrottleRequest } from "../../throttle/throttle.js";
import type { Fetch } from "../../transport/fetch.js";
import { transportOf } from "../../transport/resource.js";
import type { MeetingClient } from "../list/meeting-client.js";

/** The run may send no further request. What it has fetched so far is written, and it ends as paused. */
export class BudgetUsedUpError extends Error {}

/** How much one run of `syncMeetings` may use. When it is used up, the run ends as paused. */
export interface Budget {
  /** The number of requests, every attempt included. */
  readonly requests?: number | undefined;
  /** The time from the start of the run, in milliseconds. */
  readonly ms?: number | undefined;
}

interface RunRequestsOptions {
  readonly perMinute: number;
  readonly budget: Budget;
  readonly onWait: (waitsFor: "rate_limit" | "service", waitMs: number) => void;
}

export class RunRequests {
  readonly client: MeetingClient;
  /** How many requests were sent: every attempt, those to the storage of a recording included. */
  count = 0;
  /** How many requests have their place in the budget, and wait for their turn to be sent. */
  #admitted = 0;
  readonly #budget: Budget;
  readonly #endMs: number;
  /** What comes next needs a longer wait than the budget has time for. */
  #isOver = false;
  /** When the service may be asked again that fails or asks for a pause, in milliseconds since 1970. */
  #pausedUntilMs = 0;
  /** A fake in a test has no attempts, so its calls are counted. */
  readonly #countsCalls: boolean;

  constructor(notetaker: MeetingClient, { perMinute, budget, onWait }: RunRequestsOptions) {
    this.#budget = budget;
    this.#endMs = Date.now() + (budget.ms ?? Number.POSITIVE_INFINITY);
    this.#countsCalls = notetaker.withOptions === undefined;
    this.client = this.#counted(notetaker, perMinute, onWait);
  }

  /** Counts a call of a fake. */
  begin(): void {
    if (!this.#countsCalls) return;
    this.checkBudget();
    this.count += 1;
  }

  /** How many requests the budget has left; `Infinity` without one. */
  get left(): number {
    return (this.#budget.requests ?? Number.POSITIVE_INFINITY) - this.count - this.#admitted;
  }

  /** Whether the budget is used up, or would be after a wait of `waitMs`. */
  isUsedUp(waitMs = 0): boolean {
    return this.#isOver || this.left <= 0 || this.#isLate(waitMs);
  }

  /**
   * Ends the run if the budget is used up, or would be after a wait of `waitMs`.
   *
   * @throws {BudgetUsedUpError} then
   */
  checkBudget(waitMs?: number): void {
    if (this.isUsedUp(waitMs)) this.#end(waitMs);
  }

  /** When a run that ends now can be continued: within an hour, even if the service asks for a longer pause. */
  get continuesAt(): Date {
    return new Date(Math.max(Date.now(), this.#pausedUntilMs));
  }

  #isLate(waitMs: number): boolean {
    return Date.now() + waitMs >= this.#endMs;
  }

  #end(pauseMs = 0): never {
    this.#isOver = true;
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, Date.now() + Math.min(pauseMs, HOUR_MS));
    throw new BudgetUsedUpError();
  }

  #counted(notetaker: MeetingClient, perMinute: number, report: RunRequestsOptions["onWait"]): MeetingClient {
    if (notetaker.withOptions === undefined) return notetaker;
    const fetchOfClient = transportOf(notetaker.meetings)?.config.fetch;
    const fetch: Fetch = async (url, init) => {
      // No throttle has admitted a request to a storage, or one that a middleware sends again: it takes the place of one
      // that waits, or its own.
      if (this.#admitted > 0) this.#admitted -= 1;
      else this.checkBudget();
      this.count += 1;
      // A framework must not answer a poll from its cache.
      const fresh = { ...init, next: undefined, ...noStore() };
      return (fetchOfClient ?? globalThis.fetch)(url, fresh);
    };
    const onWait: Pace["onWait"] = (waitMs, error) =>
      report(error === undefined || isRateLimited(error) ? "rate_limit" : "service", waitMs);
    const { throttle, ...pace } = atOwnPace(notetaker.meetings, { perMinute, onWait });
    const admitting: Throttle = { ...throttle, acquire: (request) => this.#admit(throttle, request) };
    // A longer pause is the run's: an event may come, and the budget may end.
    return notetaker.withOptions({ ...pace, throttle: admitting, fetch, maxRetries: 2, maxRetryDelayMs: MINUTE_MS });
  }

  /** Several requests wait for their turn at once: each has its place in the budget before it waits. */
  async #admit(throttle: Throttle, request: ThrottleRequest): Promise<void> {
    this.checkBudget();
    this.#admitted += 1;
    try {
      await throttle.acquire({
        ...request,
        onWait: (waitMs, pauseMs) => {
          if (this.#isLate(waitMs)) this.#end(pauseMs);
          request.onWait(waitMs, pauseMs);
        },
      });
    } catch (error) {
      this.#admitted -= 1;
      throw error;
    }
  }
}
