/** The calls of this process that wait for one limit of one token. */
import { onAbort } from "../../async/on-abort.js";
import { startTimer } from "../../async/start-timer.js";
import type { ThrottleRequest } from "../../transport/throttle/throttle.js";
import type { RateWindow } from "../../transport/throttle/throttle-options.js";
import type { RedisServer } from "../redis-server.js";
import { CONFIRM, GIVE_UP, HOLD, TAKE_PLACES } from "./throttle-scripts.js";

/**
 * A process that waits renews its lease this often, in milliseconds; without renewal for `LEASE_MS` it counts as dead.
 */
const RENEW_MS = 1_300;
const LEASE_MS = 4_000;

/**
 * Requests take unequal times to reach the service, and the first of a process takes longest. So of two that are sent a
 * window apart, the second may arrive less than a window after the first. Each call therefore waits this much longer
 * than its window.
 */
const ARRIVAL_MARGIN_MS = 300;

/** A call that still waits for another limit is recorded as sent this far in the future: its place stays taken. */
const HELD_PLACE_MS = 3_600_000;

/** Beyond the longest window, keys live this much longer. */
const KEEP_EXTRA_MS = 600_000;

/** A call that waits in this line. */
interface WaitingCall {
  readonly id: string;
  readonly request: ThrottleRequest;
  ticket: string;
  hasReportedWait: boolean;
  resolve(): void;
  reject(error: unknown): void;
}

/** What a line needs to know of its limit. */
export interface LimitLineOptions {
  server: RedisServer;
  /** The id of this process, without a colon. */
  process: string;
  /** Begins the keys of this limit of this token. */
  keyBase: string;
  windows: readonly RateWindow[];
  /** Whether its calls wait for another limit afterwards. */
  holdsPlaceForOtherLimit: boolean;
  /** Called if Redis could not be reached. Returns whether the waiting calls may be sent anyway. */
  mayGoWithoutRedis: (error: unknown) => boolean;
  /** Called whenever Redis has answered. */
  onReached: () => void;
  /** Called when no call waits here any more. */
  onIdle: () => void;
}

let lastCallNumber = 0;

export class LimitLine {
  readonly #options: LimitLineOptions;
  readonly #keys: readonly [string, string, string, string];
  readonly #waiting = new Map<string, WaitingCall>();
  /** Calls that have their place here, and wait for another limit. */
  readonly #placesHeld = new Set<string>();
  #isAsking = false;
  #stopTimer: () => void = () => {};

  constructor(options: LimitLineOptions) {
    this.#options = options;
    const { keyBase } = options;
    this.#keys = [`${keyBase}:sent`, `${keyBase}:queue`, `${keyBase}:processes`, `${keyBase}:state`];
  }

  /**
   * Resolves to the call's id when it may go. In a line with `holdsPlaceForOtherLimit`, its place stays taken until
   * {@link confirm} or {@link giveUp}.
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

  /** A call that held its place for another limit goes now. */
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

  /** A call takes no place: it was cancelled, or failed elsewhere. */
  giveUp(id: string): void {
    this.#waiting.delete(id);
    this.#placesHeld.delete(id);
    this.#options.server.run(GIVE_UP, this.#keys, [id]).catch(() => {});
    this.#endIfIdle();
  }

  /** The service says that the budget is spent. */
  async hold(holdMs: number): Promise<void> {
    await this.#options.server.run(HOLD, this.#keys, [
      String(Math.ceil(holdMs)),
      String(Math.ceil(holdMs) + KEEP_EXTRA_MS),
    ]);
  }

  /**
   * Asks Redis about all calls that wait here, in one request. Only one such request is under way at a time: calls that
   * arrive meanwhile join the next.
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
      // What came while it asked has no ticket yet.
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
      // The calls have failed meanwhile: they must take no place.
      const ids = calls.map(({ id }) => id);
      if (ids.length > 0) this.#options.server.run(GIVE_UP, this.#keys, ids).catch(() => {});
    };
    const reply = await this.#options.server.run(TAKE_PLACES, this.#keys, args, onLate);
    return Array.isArray(reply) ? reply : [];
  }

  /** Ends the wait of each call that may go, or that cannot go in time. Returns the shortest wait of the others. */
  #settle(calls: readonly WaitingCall[], reply: readonly unknown[]): number {
    let shortestMs = Number.POSITIVE_INFINITY;
    for (const [index, call] of calls.entries()) {
      const waitMs = Number(reply[index * 2 + 1]);
      if (!this.#waiting.has(call.id)) {
        // It was cancelled while the question was on its way.
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
      // What the caller's callback throws ends the call.
      this.giveUp(call.id);
      call.reject(error);
    }
  }

  /** Redis could not be asked. */
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
