/**
 * The client of a run: its pace, its budget, and the pauses that the service asks for. A call makes up to three attempts
 * within seconds; a longer pause is the run's.
 */
import { followSignal } from "../async/abort.js";
import { noStore } from "../async/no-store.js";
import { HOUR_MS, MAX_TIMER_MS, MINUTE_MS } from "../async/timers.js";
import { ApiError } from "../errors/api-error.js";
import { isInconclusive, isRateLimited } from "../errors/is-temporary.js";
import type { Throttle, ThrottleRequest } from "../throttle/throttle.js";
import type { ClientOptions } from "../transport/client-options.js";
import type { Fetch } from "../transport/fetch.js";
import { transportOf } from "../transport/resource.js";
import { hintMs } from "../transport/retry-policy.js";
import type { MeetingClient } from "./meeting-list.js";
import type { Piece } from "./pieces.js";
import type { RunContext } from "./report.js";

/** The run may send no further request. What it has fetched so far is written, and it ends as paused. */
export class BudgetUsedUpError extends Error {}

const BURST_MS = 10_000;
/** A run with a budget does not wait longer than this for its pace. */
const LONGEST_PACE_WAIT_MS = 1_000;
const RETRIES = { maxRetries: 2, maxRetryDelayMs: 1_000 };

export class PacedClient {
  readonly client: MeetingClient;
  /** Aborts when the budget is used up during the download of a recording, so that it does not try again. */
  readonly downloads;
  /** Since when every request has failed, by the clock; `undefined`: the latest has not. */
  failingSince: number | undefined;
  /** Why the latest request of a list has to be sent again. The budget may be used up before that. */
  listError: Error | undefined;
  /** How long until the run that was paused can be continued. */
  continuesInMs = 0;
  readonly #context: RunContext;
  readonly #endsAt: number;
  #isOver = false;
  /** When the latest requests were sent, or are to be sent, by the clock. */
  readonly #slots: number[] = [];
  /** How many requests have their slot, and are not sent yet. */
  #admitted = 0;

  constructor(notetaker: MeetingClient, context: RunContext) {
    const { plan, clock, signal } = context;
    this.#context = context;
    this.#endsAt = clock.now() + (plan.budget?.ms ?? Number.POSITIVE_INFINITY);
    this.downloads = followSignal(signal);
    this.client = notetaker.withOptions?.(this.#options(notetaker)) ?? notetaker;
  }

  /** How many requests the budget has left; `Infinity` without one. */
  get left(): number {
    const { plan, report } = this.#context;
    return (plan.budget?.requests ?? Number.POSITIVE_INFINITY) - report.requests - this.#admitted;
  }

  /** How long the next request waits for its pace. */
  get paceMs(): number {
    return this.#nextSlot() - this.#context.clock.now();
  }

  /** @throws {BudgetUsedUpError} if the budget is used up, or would be after a wait of `waitMs` */
  checkBudget(waitMs = 0): void {
    if (this.#isOver || this.left <= 0 || this.#context.clock.now() + waitMs >= this.#endsAt) this.endBudget(waitMs);
  }

  /**
   * Ends the run: it can be continued after `waitMs`, within an hour.
   *
   * @throws {BudgetUsedUpError} always
   */
  endBudget(waitMs: number): never {
    this.#isOver = true;
    this.continuesInMs = Math.max(this.continuesInMs, Math.min(waitMs, HOUR_MS));
    throw new BudgetUsedUpError();
  }

  /** Sends a request. Each kind has its own pause after a 429. */
  async ask<T>(kind: "list" | Piece["kind"], request: () => Promise<T>): Promise<T> {
    const { clock, pauses, report } = this.#context;
    // A fake in a test has no attempts, so its calls are counted.
    if (this.client.withOptions === undefined) {
      this.checkBudget();
      report.requests += 1;
    }
    if (kind === "list") this.listError = undefined;
    try {
      const result = await request();
      this.failingSince = undefined;
      pauses.succeeded(kind);
      return result;
    } catch (error) {
      // The service has answered: it works.
      if (error instanceof ApiError && !isInconclusive(error)) this.failingSince = undefined;
      else if (!(error instanceof BudgetUsedUpError)) this.failingSince ??= clock.now();
      if (isRateLimited(error)) pauses.failed(kind, Math.min(HOUR_MS, hintMs(error) ?? pauses.nextMs(kind)));
      throw error;
    }
  }

  /**
   * At most `requestsPerMinute` requests in a minute, and a fifth of them in ten seconds. With a budget, the minute alone
   * counts: a queue that starts a run each minute wants all of them at once, not a run that sleeps between them.
   */
  #nextSlot(): number {
    const { plan, clock } = this.#context;
    const after = (count: number, ms: number) => (this.#slots.at(-count) ?? Number.NEGATIVE_INFINITY) + ms;
    const burst = plan.budget === undefined ? after(Math.ceil(plan.requestsPerMinute / 5), BURST_MS) : 0;
    return Math.max(clock.now(), after(plan.requestsPerMinute, MINUTE_MS), burst);
  }

  #options({ meetings }: MeetingClient) {
    const config = transportOf(meetings)?.config;
    const fetch: Fetch = async (url, init) => {
      // No throttle has admitted a request to a storage, or one that a middleware sends again.
      if (this.#admitted > 0) this.#admitted -= 1;
      else this.#checkUnpaced();
      this.#context.report.requests += 1;
      // A framework must not answer a poll from its cache.
      const fresh = { ...init, next: undefined, ...noStore() };
      return (config?.fetch ?? globalThis.fetch)(url, fresh);
    };
    const throttle: Throttle = {
      acquire: (request) => this.#admit(request, config?.throttle),
      pause: (report) => config?.throttle?.pause(report),
    };
    const onRetry: ClientOptions["onRetry"] = (report) => {
      if (report.operation === "meetings.list") this.listError = report.error;
      return config?.onRetry?.(report);
    };
    // A deadline for single calls would end a run that waits for its turn.
    return { throttle, fetch, onRetry, ...RETRIES, deadlineMs: MAX_TIMER_MS };
  }

  #checkUnpaced(): void {
    try {
      this.checkBudget();
    } catch (error) {
      this.downloads.abort(error);
      throw error;
    }
  }

  /** Several requests wait for their turn at once: each has its place in the budget before it waits. */
  async #admit(request: ThrottleRequest, throttle: Throttle | undefined): Promise<void> {
    const { clock, plan, report } = this.#context;
    this.checkBudget();
    const slot = this.#nextSlot();
    const waitMs = slot - clock.now();
    if (plan.budget !== undefined && waitMs > LONGEST_PACE_WAIT_MS) this.endBudget(waitMs);
    this.checkBudget(waitMs);
    this.#slots.push(slot);
    if (this.#slots.length > plan.requestsPerMinute) this.#slots.shift();
    this.#admitted += 1;
    try {
      if (waitMs > 0) {
        report.waiting("rate_limit", waitMs);
        await clock.pause(waitMs, request.signal);
      }
      const onWait: ThrottleRequest["onWait"] = (ms, pause) => {
        if (clock.now() + ms >= this.#endsAt) this.endBudget(ms);
        request.onWait(ms, pause);
      };
      await throttle?.acquire({ ...request, onWait });
    } catch (error) {
      this.#admitted -= 1;
      throw error;
    }
  }
}
