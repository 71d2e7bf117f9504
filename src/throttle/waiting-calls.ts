/** First come, first served per limit. A timer per call: in an edge worker, each belongs to its own request. */
import { abortable, throwIfAborted } from "../async/abort.js";
import { Clock } from "../async/clock.js";
import { type LimitName, limitsCounting } from "../endpoints/limits.js";
import { ConnectionError } from "../errors/call-errors.js";
import { type LimitReport, reportedLimit, type Throttle, type ThrottleRequest } from "./throttle.js";
import type { WindowsByLimit } from "./throttle-options.js";

/** How long a call has to wait, in milliseconds. */
export interface RequiredWait {
  readonly waitMs: number;
  /** How much of it is a pause that the service asks for. */
  readonly pauseMs: number;
}

/** Counts calls when they are sent: the calls of this process, or of all processes that share a store. */
export interface CallCounter {
  readonly windows: WindowsByLimit;
  /** Processes that wait for one moment ask within this time after it, the longest wait first. */
  readonly spreadMs: number;
  /** Counts a call that is sent now, if all of these limits allow it. Else returns how long they do not. */
  take(limits: readonly LimitName[]): "now" | RequiredWait | Promise<"now" | RequiredWait>;
  /** The service asks for a pause: allows no call of this limit before it is over. */
  pause(limit: LimitName, pauseMs: number): void | Promise<void>;
}

interface WaitingCall {
  readonly number: number;
  /** How many calls of its line had arrived before it. */
  readonly place: number;
  isSent: boolean;
  wake(): void;
}

class Line {
  readonly limits: readonly LimitName[];
  readonly calls = new Set<WaitingCall>();
  arrived = 0;
  gone = 0;
  /** When the limits allow the next call, as far as is known, and when the service's own pause ends. */
  freeAt = Number.NEGATIVE_INFINITY;
  pausedUntil = Number.NEGATIVE_INFINITY;

  constructor(limits: readonly LimitName[]) {
    this.limits = limits;
  }

  get first(): WaitingCall | undefined {
    return this.calls.values().next().value;
  }

  remove(call: WaitingCall): void {
    if (this.calls.delete(call)) this.gone += 1;
  }
}

export class CallQueue implements Throttle {
  readonly #counter: CallCounter;
  readonly #clock: Clock;
  /** By their first limit, which no other line has first. */
  readonly #lines = new Map<LimitName | undefined, Line>();
  #arrived = 0;
  /** One question at a time: the order of the answers would not be that of the calls. */
  #asking: Promise<void> | undefined;

  constructor(counter: CallCounter, clock = new Clock()) {
    this.#counter = counter;
    this.#clock = clock;
  }

  async acquire({ operation, signal, onWait }: ThrottleRequest): Promise<void> {
    const line = this.#lineOf(operation);
    const call: WaitingCall = { number: this.#arrived, place: line.arrived, isSent: false, wake() {} };
    this.#arrived += 1;
    line.arrived += 1;
    line.calls.add(call);
    const arrivedAt = this.#clock.now();
    let reportedEnd = arrivedAt;
    try {
      for (;;) {
        throwIfAborted(signal);
        const woken = new Promise<void>((resolve) => {
          call.wake = resolve;
        });
        // It is sent as soon as it is counted, not when the other calls have their answers, too.
        if (line.freeAt <= this.#clock.now()) await abortable(Promise.race([woken, this.#ask()]), signal);
        if (call.isSent) return;
        const now = this.#clock.now();
        const waitMs = this.#waitMs(line, call, now);
        if (waitMs <= 0) continue;
        // Without the rounding of milliseconds.
        if (now + waitMs > reportedEnd + 1) onWait(waitMs, Math.max(0, line.pausedUntil - now));
        reportedEnd = Math.max(reportedEnd, now + waitMs);
        const lateMs = this.#counter.spreadMs / (1 + (now - arrivedAt) / 1_000);
        await this.#clock.pause(Math.ceil(waitMs + lateMs), signal, woken);
      }
    } finally {
      line.remove(call);
      // As above, if this call was cancelled.
      if (!call.isSent) line.first?.wake();
    }
  }

  #lineOf(operation: string): Line {
    const limits = limitsCounting(operation);
    const line = this.#lines.get(limits[0]) ?? new Line(limits);
    this.#lines.set(limits[0], line);
    return line;
  }

  /** At least how long a call has to wait: before it, `max` calls are sent in each window. */
  #waitMs({ limits, freeAt, gone }: Line, { place }: WaitingCall, now: number): number {
    const ahead = Math.max(0, place - gone);
    const windows = limits.flatMap((name) => this.#counter.windows[name]);
    return freeAt - now + Math.max(...windows.map(({ windowMs, max }) => Math.floor(ahead / max) * windowMs));
  }

  async #ask(): Promise<void> {
    this.#asking ??= this.#askForAll().finally(() => {
      this.#asking = undefined;
    });
    try {
      await this.#asking;
    } catch (error) {
      // One question for many calls: each gets an error of its own, which has the facts of that call.
      if (!(error instanceof ConnectionError)) throw error;
      throw new ConnectionError({ ...error, message: error.message, cause: error.cause });
    }
  }

  async #askForAll(): Promise<void> {
    for (let line = this.#nextLine(); line !== undefined; line = this.#nextLine()) {
      const answer = await this.#counter.take(line.limits);
      if (answer === "now") this.#send(line);
      else {
        this.#hold(line, answer);
        // It may be the first only now, and then its timer is too late.
        line.first?.wake();
      }
    }
  }

  #nextLine(): Line | undefined {
    const now = this.#clock.now();
    const arrivalOf = ({ first }: Line) => first?.number ?? Number.POSITIVE_INFINITY;
    const free = [...this.#lines.values()].filter(({ calls, freeAt }) => calls.size > 0 && freeAt <= now);
    return free.sort((one, other) => arrivalOf(one) - arrivalOf(other))[0];
  }

  /** If the call that it was asked for was cancelled meanwhile, the next one is sent. */
  #send(line: Line): void {
    const { first } = line;
    if (first === undefined) return;
    line.remove(first);
    first.isSent = true;
    first.wake();
  }

  #hold(line: Line, { waitMs, pauseMs }: RequiredWait): void {
    const now = this.#clock.now();
    line.freeAt = Math.max(line.freeAt, now + waitMs);
    line.pausedUntil = Math.max(line.pausedUntil, now + pauseMs);
  }

  pause(report: LimitReport): void | Promise<void> {
    const { pauseMs } = report;
    const limit = reportedLimit(report, this.#counter.windows.other[0]?.max ?? Number.POSITIVE_INFINITY);
    for (const line of this.#lines.values()) {
      if (!line.limits.includes(limit)) continue;
      this.#hold(line, { waitMs: pauseMs, pauseMs });
      // Some calls may not wait so long.
      for (const call of line.calls) call.wake();
    }
    return this.#counter.pause(limit, pauseMs);
  }
}
