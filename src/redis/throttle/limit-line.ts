/** The queue of this process's calls that wait for one rate limit of one token. */
import { onAbort } from "../../async/abort.js";
import { startTimer } from "../../async/timers.js";
import type { ThrottleRequest } from "../../transport/throttle/throttle.js";
import type { RateWindow } from "../../transport/throttle/throttle-options.js";
import type { RedisServer } from "../redis-server.js";
import { CONFIRM, GIVE_UP, HOLD, TAKE_PLACES } from "./throttle-scripts.js";

/**
 * A process with waiting calls renews its lease every `RENEW_MS` milliseconds. After `LEASE_MS` without a renewal it
 * counts as dead.
 */
const RENEW_MS = 1_300;
const LEASE_MS = 4_000;

/**
 * Requests need different times to reach the service; the first request of a process needs the longest. So if two
 * requests are sent one window apart, they may arrive less than one window apart. Each call therefore waits this much
 * longer than its window.
 */
const ARRIVAL_MARGIN_MS = 300;

/**
 * A call that still waits for another limit is recorded as sent this far in the future, so that it keeps its place in
 * this limit.
 */
const HELD_PLACE_MS = 3_600_000;

/** The time to live of the keys is the longest window plus this time. */
const KEEP_EXTRA_MS = 600_000;

/** A call that waits in this queue. */
interface WaitingCall {
  readonly id: string;
  readonly request: ThrottleRequest;
  ticket: string;
  hasReportedWait: boolean;
  resolve(): void;
  reject(error: unknown): void;
}

/** The options of a {@link LimitLine}. */
export interface LimitLineOptions {
  server: RedisServer;
  /** The id of this process, without a colon. */
  process: string;
  /** The beginning of the keys for this limit of this token. */
  keyBase: string;
  windows: readonly RateWindow[];
  /** Whether the calls wait for another limit afterwards. */
  holdsPlaceForOtherLimit: boolean;
  /** Called if Redis failed. Returns whether the waiting calls may be sent anyway. */
  mayGoWithoutRedis: (error: unknown) => boolean;
  /** Called after each response of Redis. */
  onReached: () => void;
  /** Called when no call waits in this queue any more. */
  onIdle: () => void;
}

let lastCallNumber = 0;

export class LimitLine {
  readonly #options: LimitLineOptions;
  readonly #keys: readonly [string, string, string, string];
  readonly #waiting = new Map<string, WaitingCall>();
  /** The ids of calls that have their place in this limit, and wait for another limit. */
  readonly #placesHeld = new Set<string>();
  #isAsking = false;
  #stopTimer: () => void = () => {};

  constructor(options: LimitLineOptions) {
    this.#options = options;
    const { keyBase } = options;
    this.#keys = [`${keyBase}:sent`, `${keyBase}:queue`, `${keyBase}:processes`, `${keyBase}:state`];
  }

  /**
   * Resolves to the call's id when this limit allows the call. With `holdsPlaceForOtherLimit`, the call keeps its place
   * until {@link confirm} or {@link giveUp}.
   */
  async take(request: ThrottleRequest): Promise<string> {
    lastCallNumber += 1;
    const id = `${this.#options.process}:${lastCallNumber}`;
    if (request.signal?.aborted) throw request.signal.reason;
    let stopWaiting = () => {};
    try {
      await new Promise<void>((resolve, reject) => {
        this.#waiting.set(id, { id, request, ticket: "", hasReportedWait: false, resolve, reject });
        stopWaiting = onAbort(request.signal, () => {
          this.giveUp(id);
          reject(request.signal?.reason);
        });
        void this.#ask();
      });
    } finally {
      stopWaiting();
    }
    return id;
  }

  /** Records that a call which waited for another limit is sent now. */
  async confirm(id: string): Promise<void> {
    try {
      await this.#options.server.run(CONFIRM, this.#keys, [id]);
    } catch (error) {
      if (!this.#options.mayGoWithoutRedis(error)) throw error;
    } finally {
      this.#placesHeld.delete(id);
      this.#endIfIdle();
    }
  }

  /** Frees the place of a call that was cancelled, or that failed elsewhere. */
  giveUp(id: string): void {
    this.#waiting.delete(id);
    this.#placesHeld.delete(id);
    this.#options.server.run(GIVE_UP, this.#keys, [id]).catch(() => {});
    this.#endIfIdle();
  }

  /** Holds back all calls of this limit for `holdMs`, because the service reports that it is used up. */
  async hold(holdMs: number): Promise<void> {
    await this.#options.server.run(HOLD, this.#keys, [
      String(Math.ceil(holdMs)),
      String(Math.ceil(holdMs) + KEEP_EXTRA_MS),
    ]);
  }

  /**
   * Asks Redis about all waiting calls in one command. Only one such command runs at a time: calls that arrive
   * meanwhile are part of the next.
   */
  async #ask(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    this.#stopTimer();
    let nextMs = RENEW_MS;
    try {
      const calls = [...this.#waiting.values()];
      const reply = await this.#takePlaces(calls);
      this.#options.onReached();
      nextMs = Math.min(nextMs, this.#settle(calls, reply));
      // Calls that arrived during the command have no ticket yet.
      if ([...this.#waiting.values()].some(({ ticket }) => ticket === "")) nextMs = 0;
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#isAsking = false;
    }
    if (this.#waiting.size + this.#placesHeld.size === 0) this.#endIfIdle();
    else if (nextMs === 0) void this.#ask();
    else this.#stopTimer = startTimer(nextMs, () => void this.#ask());
  }

  async #takePlaces(calls: readonly WaitingCall[]): Promise<readonly unknown[]> {
    const { process, windows, holdsPlaceForOtherLimit } = this.#options;
    const keepMs = Math.max(...windows.map(({ windowMs }) => windowMs)) + KEEP_EXTRA_MS;
    const settings = [LEASE_MS, keepMs, ARRIVAL_MARGIN_MS, holdsPlaceForOtherLimit ? HELD_PLACE_MS : 0, windows.length];
    const sizes = windows.flatMap(({ windowMs, max }) => [windowMs, max]);
    const places = calls.flatMap(({ id, ticket, request }) => {
      const remainingMs = request.remainingMs();
      return [id, ticket, Number.isFinite(remainingMs) ? Math.max(0, Math.floor(remainingMs)) : -1];
    });
    const args = [process, ...settings, ...sizes, ...places].map(String);
    const onLate = () => {
      // The calls have failed meanwhile, so they must not keep a place.
      const ids = calls.map(({ id }) => id);
      if (ids.length > 0) this.#options.server.run(GIVE_UP, this.#keys, ids).catch(() => {});
    };
    const reply = await this.#options.server.run(TAKE_PLACES, this.#keys, args, onLate);
    return Array.isArray(reply) ? reply : [];
  }

  /**
   * Ends the wait of each call that may be sent, or that cannot be sent in time. Returns the shortest wait of the
   * others.
   */
  #settle(calls: readonly WaitingCall[], reply: readonly unknown[]): number {
    let shortestMs = Number.POSITIVE_INFINITY;
    for (const [index, call] of calls.entries()) {
      const waitMs = Number(reply[index * 2 + 1]);
      if (!this.#waiting.has(call.id)) {
        // The call was cancelled during the command.
        this.giveUp(call.id);
        continue;
      }
      call.ticket = String(reply[index * 2]);
      if (waitMs > 0) {
        shortestMs = Math.min(shortestMs, waitMs);
        this.#reportWait(call, waitMs);
        continue;
      }
      this.#waiting.delete(call.id);
      if (waitMs < 0) {
        call.reject(call.request.createTimeoutError());
        continue;
      }
      if (this.#options.holdsPlaceForOtherLimit) this.#placesHeld.add(call.id);
      call.resolve();
    }
    return shortestMs;
  }

  #reportWait(call: WaitingCall, waitMs: number): void {
    if (call.hasReportedWait) return;
    call.hasReportedWait = true;
    try {
      call.request.onWait(waitMs);
    } catch (error) {
      // An error in the caller's callback ends the call.
      this.giveUp(call.id);
      call.reject(error);
    }
  }

  /** Ends the wait of all calls, because Redis failed. */
  #fail(error: unknown): void {
    const calls = [...this.#waiting.values()];
    if (calls.length === 0) return;
    this.#waiting.clear();
    const mayGo = this.#options.mayGoWithoutRedis(error);
    for (const call of calls) {
      if (mayGo) call.resolve();
      else call.reject(error);
    }
  }

  #endIfIdle(): void {
    if (this.#waiting.size + this.#placesHeld.size > 0) return;
    this.#stopTimer();
    if (!this.#isAsking) this.#options.onIdle();
  }
}
