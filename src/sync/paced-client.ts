/** The client of a run: its pace, its budget, and the pauses that the service asks for. Nothing in it repeats a request. */
import { abortReason, newAbortController, onAbort } from "../async/abort.js";
import type { Clock } from "../async/clock.js";
import { noStore } from "../async/no-store.js";
import { HOUR_MS, MAX_TIMER_MS, MINUTE_MS } from "../async/timers.js";
import { ApiError } from "../errors/api-error.js";
import { isInconclusive, isRateLimited } from "../errors/is-temporary.js";
import type { Throttle, ThrottleRequest } from "../throttle/throttle.js";
import type { Fetch } from "../transport/fetch.js";
import { transportOf } from "../transport/resource.js";
import { hintMs } from "../transport/retry-policy.js";
import type { MeetingClient } from "./meeting-list.js";
import type { Piece } from "./pieces.js";

/** The run may send no further request. What it has fetched so far is written, and it ends as paused. */
export class BudgetUsedUpError extends Error {}

/** How much one run of `syncMeetings` may use. When it is used up, the run ends as paused. */
export interface Budget {
  /** The number of requests, every attempt included. */
  readonly requests?: number | undefined;
  /** The time from the start of the run, in milliseconds. */
  readonly ms?: number | undefined;
}

/** Each kind of request has its own pause after a 429. */
export type RequestKind = "list" | Piece["kind"];

interface PacedClientOptions {
  readonly perMinute: number;
  readonly budget: Budget;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** The first pause after a 429 that names none. It doubles with each further one. */
  readonly pollMs: number;
  readonly onWait: (waitMs: number) => void;
}

const BURST_MS = 10_000;
/** A run with a budget does not wait longer than this for its pace. */
const LONGEST_PACE_WAIT_MS = 1_000;
/** Attempts of one call: a longer pause is the run's. */
const RETRIES = { maxRetries: 2, maxRetryDelayMs: 1_000 };

/** The pause after so many failures in a row: it doubles, up to an hour. */
export const pauseMs = (pollMs: number, failures: number): number =>
  Math.min(Math.max(HOUR_MS, pollMs), pollMs * 2 ** Math.min(Math.max(failures - 1, 0), 40));

export class PacedClient {
  readonly client: MeetingClient;
  /** Aborts when the budget is used up during the download of a recording, so that it does not try again. */
  readonly downloads: AbortSignal;
  /** How many requests were sent: every attempt, those to the storage of a recording included. */
  count = 0;
  /** Since when every request has failed, by the clock; `undefined`: the latest has not. */
  failingSince: number | undefined;
  readonly #options: PacedClientOptions;
  readonly #endsAt: number;
  readonly #pauses = new Map<RequestKind, { readonly until: number; readonly failures: number }>();
  /** When the latest requests were sent, or are to be sent, by the clock. */
  #slots: number[] = [];
  /** How many requests have their slot, and are not sent yet. */
  #admitted = 0;
  #continuesInMs: number | undefined;
  readonly #stopDownloads = newAbortController();
  /** A fake in a test has no attempts, so its calls are counted. */
  readonly #countsCalls: boolean;

  constructor(notetaker: MeetingClient, options: PacedClientOptions) {
    this.#options = options;
    this.#endsAt = options.clock.now() + (options.budget.ms ?? Number.POSITIVE_INFINITY);
    this.#countsCalls = notetaker.withOptions === undefined;
    this.client = this.#paced(notetaker);
    this.downloads = this.#stopDownloads.signal;
    onAbort(options.signal, () => this.#stopDownloads.abort(abortReason(options.signal)));
  }

  /** How many requests the budget has left; `Infinity` without one. */
  get left(): number {
    return (this.#options.budget.requests ?? Number.POSITIVE_INFINITY) - this.count - this.#admitted;
  }

  /** How long until the run that was paused can be continued. */
  get continuesInMs(): number {
    return this.#continuesInMs ?? 0;
  }

  /** How long the next request waits for its pace. */
  get paceMs(): number {
    return this.#nextSlot() - this.#options.clock.now();
  }

  /** How long no request of this kind may be sent, because the service has answered 429. */
  pausedMs(kind: RequestKind): number {
    return Math.max(0, (this.#pauses.get(kind)?.until ?? 0) - this.#options.clock.now());
  }

  /** The shortest pause, of at most a minute, of a kind that has answered 429 only once or twice in a row. */
  get shortPauseMs(): number | undefined {
    const pauses = [...this.#pauses].map(([kind, { failures }]) => (failures <= 2 ? this.pausedMs(kind) : 0));
    const short = pauses.filter((ms) => ms > 0 && ms <= MINUTE_MS);
    return short.length === 0 ? undefined : Math.min(...short);
  }

  /** @throws {BudgetUsedUpError} if the budget is used up, or would be after a wait of `waitMs` */
  checkBudget(waitMs = 0): void {
    const isOver = this.#continuesInMs !== undefined || this.left <= 0;
    if (isOver || this.#options.clock.now() + waitMs >= this.#endsAt) this.endBudget(waitMs);
  }

  /** Sends a request. Its failure is remembered, and thrown. */
  async ask<T>(kind: RequestKind, request: () => Promise<T>): Promise<T> {
    if (this.#countsCalls) {
      this.checkBudget();
      this.count += 1;
    }
    try {
      const result = await request();
      this.failingSince = undefined;
      this.#pauses.delete(kind);
      return result;
    } catch (error) {
      this.#onFailure(kind, error);
      throw error;
    }
  }

  #onFailure(kind: RequestKind, error: unknown): void {
    const { clock, pollMs } = this.#options;
    // The service has answered: it works.
    if (error instanceof ApiError && !isInconclusive(error)) this.failingSince = undefined;
    else if (!(error instanceof BudgetUsedUpError)) this.failingSince ??= clock.now();
    if (!isRateLimited(error)) return;
    const failures = (this.#pauses.get(kind)?.failures ?? 0) + 1;
    const ms = Math.min(HOUR_MS, hintMs(error) ?? pauseMs(pollMs, failures));
    this.#pauses.set(kind, { until: clock.now() + ms, failures });
  }

  /**
   * Ends the run: it can be continued after `waitMs`, within an hour.
   *
   * @throws {BudgetUsedUpError} always
   */
  endBudget(waitMs: number): never {
    this.#continuesInMs = Math.max(this.#continuesInMs ?? 0, Math.min(waitMs, HOUR_MS));
    throw new BudgetUsedUpError();
  }

  get #hasBudget(): boolean {
    const { requests, ms } = this.#options.budget;
    return requests !== undefined || ms !== undefined;
  }

  /**
   * At most `perMinute` requests in a minute, and a fifth of them in ten seconds. With a budget, the minute alone counts: a
   * queue that starts a run each minute wants all of them at once, not a run that sleeps between them.
   */
  #nextSlot(): number {
    const { perMinute, clock } = this.#options;
    const after = (count: number, ms: number) => (this.#slots.at(-count) ?? Number.NEGATIVE_INFINITY) + ms;
    const burst = this.#hasBudget ? 0 : after(Math.ceil(perMinute / 5), BURST_MS);
    return Math.max(clock.now(), after(perMinute, MINUTE_MS), burst);
  }

  #paced(notetaker: MeetingClient): MeetingClient {
    if (notetaker.withOptions === undefined) return notetaker;
    const config = transportOf(notetaker.meetings)?.config;
    const fetch: Fetch = async (url, init) => {
      // No throttle has admitted a request to a storage, or one that a middleware sends again.
      if (this.#admitted > 0) this.#admitted -= 1;
      else this.#checkUnpaced();
      this.count += 1;
      // A framework must not answer a poll from its cache.
      const fresh = { ...init, next: undefined, ...noStore() };
      return (config?.fetch ?? globalThis.fetch)(url, fresh);
    };
    const throttle: Throttle = {
      acquire: (request) => this.#admit(request, config?.throttle),
      pause: (report) => config?.throttle?.pause(report),
    };
    // A deadline for single calls would end a run that waits for its turn.
    return notetaker.withOptions({ throttle, fetch, ...RETRIES, deadlineMs: MAX_TIMER_MS });
  }

  #checkUnpaced(): void {
    try {
      this.checkBudget();
    } catch (error) {
      this.#stopDownloads.abort(error);
      throw error;
    }
  }

  /** Several requests wait for their turn at once: each has its place in the budget before it waits. */
  async #admit(request: ThrottleRequest, throttle: Throttle | undefined): Promise<void> {
    const { clock, perMinute, onWait } = this.#options;
    this.checkBudget();
    const slot = this.#nextSlot();
    const waitMs = slot - clock.now();
    if (this.#hasBudget && waitMs > LONGEST_PACE_WAIT_MS) this.endBudget(waitMs);
    this.checkBudget(waitMs);
    this.#slots.push(slot);
    if (this.#slots.length > 2 * perMinute) this.#slots = this.#slots.slice(-perMinute);
    this.#admitted += 1;
    try {
      if (waitMs > 0) {
        onWait(waitMs);
        await clock.pause(waitMs, request.signal);
      }
      await throttle?.acquire({
        ...request,
        onWait: (ms, pause) => {
          if (clock.now() + ms >= this.#endsAt) this.endBudget(ms);
          request.onWait(ms, pause);
        },
      });
    } catch (error) {
      this.#admitted -= 1;
      throw error;
    }
  }
}
