/** Limits the time of a call, an attempt or a transfer: in total, or without progress. */
import { abortable, abortReason, newAbortController, onAbort } from "./abort.js";
import { startTimer } from "./timers.js";

/** A signal with a timer. A class: V8 keeps all that the getter of an object literal can reach for long. */
export class TimeLimit {
  // Each attempt has its own signal: frameworks that memoize reads tell two attempts apart by their signals.
  readonly #controller = newAbortController();
  #limitMs: number | undefined;
  readonly #createTimeoutError: (limitMs: number) => unknown;
  readonly #stopWaiting: () => void;
  readonly #waiting = new Set<() => void>();
  #stopTimer = () => {};
  #endsAt = Number.POSITIVE_INFINITY;

  constructor(
    parent: AbortSignal | undefined,
    limitMs: number | undefined,
    createTimeoutError: (limitMs: number) => unknown,
  ) {
    this.#limitMs = limitMs;
    this.#createTimeoutError = createTimeoutError;
    this.#stopWaiting = onAbort(parent, () => this.abort(parent && abortReason(parent)));
    this.#start(limitMs);
  }

  #start(ms: number | undefined): void {
    const limitMs = this.#limitMs;
    this.stop();
    if (limitMs === undefined || ms === undefined) return;
    this.#endsAt = performance.now() + ms;
    this.#stopTimer = startTimer(ms, () => this.abort(this.#createTimeoutError(limitMs)));
  }

  /** Aborts when the time is up, when `abort` is called, or when the parent signal aborts. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Starts the timer again from zero: called on each sign of progress. */
  restart(): void {
    this.#start(this.#limitMs);
  }

  stop(): void {
    this.#stopTimer();
  }

  /** Stops the timer. The returned function starts it again, with the time that was left. */
  pause(): () => void {
    const restMs = this.remainingMs();
    this.stop();
    return () => this.#start(restMs);
  }

  abort(reason: unknown): void {
    this.#controller.abort(reason);
    for (const callback of this.#waiting) callback();
  }

  /** Needs no listener on the signal: two of them for each attempt took a twentieth of the time of a call. */
  abortable<T>(work: Promise<T>, onLate?: (value: T) => void): Promise<T> {
    return abortable(work, this.signal, onLate, (signal, callback) => {
      if (signal.aborted) callback();
      this.#waiting.add(callback);
      return () => this.#waiting.delete(callback);
    });
  }

  /** The time that is left, in milliseconds; `Infinity` without a limit. */
  remainingMs(): number {
    return this.#endsAt - performance.now();
  }

  dispose(): void {
    this.#limitMs = undefined;
    this.stop();
    this.#stopWaiting();
  }
}
