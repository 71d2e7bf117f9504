/**
 * The calls of one account that wait for its limits: first come, first served. It is the same for a throttle in one
 * process and for one that several processes share; only the source of the slots differs.
 */
import { onAbort } from "../async/abort.js";
import { Clock } from "../async/clock.js";
import { type LimitName, limitsOf } from "../endpoints/limits.js";
import { type LimitReport, reportedLimit, type ThrottleRequest } from "./throttle.js";
import type { LimitWindow, WindowsByLimit } from "./throttle-options.js";

export interface SlotAnswer {
  /** The time until the slot of each call in milliseconds, as far as it is known now. */
  readonly waits: readonly number[];
  /** How many slots are taken: those of the first calls. */
  readonly taken: number;
  /** How long the service's own pause still lasts, in milliseconds. */
  readonly pauseMs: number;
  /** When to ask again, in milliseconds. Default: when the first slot begins that is not taken. */
  readonly askInMs?: number | undefined;
}

/** Gives out slots: the times at which one call of an account may be sent. */
export interface SlotSource {
  readonly windows: WindowsByLimit;
  /**
   * Plans the next free slots, and takes those that are near enough. Each slot counts under all `limits`. The work does
   * not depend on who else waits.
   *
   * @param ages - How long each call has waited, in milliseconds, the longest wait first.
   * @param most - How many of these calls may take a slot.
   */
  take(limits: readonly LimitName[], ages: readonly number[], most: number): SlotAnswer | Promise<SlotAnswer>;
  /** There is no slot in the next `pauseMs` milliseconds, also for questions that are asked from now on. */
  pause(limit: LimitName, pauseMs: number): void | Promise<void>;
}

/** For how many calls one question plans slots. The waits of the calls behind them are estimated. */
const MOST_PLANNED = 60;

interface WaitingCall {
  readonly request: ThrottleRequest;
  /** Numbers the calls of a queue in the order of their arrival. */
  readonly number: number;
  readonly arrivedAt: number;
  hasReportedWait: boolean;
  /** Sends the call when its slot begins. */
  sendAfter(waitMs: number): void;
  fail(error: unknown): void;
}

/** The calls that count for the same limits and have no slot yet. */
interface Line {
  readonly limits: readonly LimitName[];
  readonly windows: readonly LimitWindow[];
  /** In order of arrival. */
  readonly calls: Set<WaitingCall>;
  /** The waits of the last answer, without the slots that were taken, and when it came. */
  waits: readonly number[];
  answeredAt: number;
  /** When the service's own pause ends. */
  pausedUntil: number;
  /** Whether the next answer concerns all calls, and not only the first. */
  concernsAll: boolean;
  /** When to ask for slots. */
  askAt: number;
}

/** The end of a pause is known less precisely than this, in milliseconds. */
const SAME_PAUSE_MS = 1_000;

const NOW = Number.NEGATIVE_INFINITY;

export class CallQueue {
  readonly #source: SlotSource;
  readonly #clock: Clock;
  readonly #lines = new Map<LimitName | undefined, Line>();
  #lastNumber = 0;
  #isAsking = false;
  #stopTimer: () => void = () => {};

  constructor(source: SlotSource, clock = new Clock()) {
    this.#source = source;
    this.#clock = clock;
  }

  async acquire(request: ThrottleRequest): Promise<void> {
    const { operation, signal } = request;
    if (signal?.aborted) throw signal.reason;
    const line = this.#lineOf(limitsOf(operation));
    return new Promise((resolve, reject) => {
      let stopTimer = () => {};
      const leave = () => {
        stopListening();
        stopTimer();
        line.calls.delete(call);
        if (line.calls.size === 0) this.#schedule();
      };
      this.#lastNumber += 1;
      const call: WaitingCall = {
        request,
        number: this.#lastNumber,
        arrivedAt: this.#clock.now(),
        hasReportedWait: false,
        sendAfter: (waitMs) => {
          line.calls.delete(call);
          const go = () => {
            leave();
            resolve();
          };
          if (waitMs > 0) stopTimer = this.#clock.startTimer(waitMs, go);
          else go();
        },
        fail(error) {
          leave();
          reject(error);
        },
      };
      const stopListening = onAbort(signal, () => call.fail(signal?.reason));
      const position = line.calls.size;
      // The last answer to an empty line is out of date.
      if (position === 0) line.waits = [];
      line.calls.add(call);
      if (position < MOST_PLANNED) this.#askNow(line);
      else if (line.waits.length > 0) tellWait(line, call, position, this.#clock.now());
      else line.concernsAll = true;
    });
  }

  hold(report: LimitReport): void | Promise<void> {
    const { windows } = this.#source;
    const limit = reportedLimit(report, windows.other[0]?.max ?? Number.POSITIVE_INFINITY);
    const recorded = this.#source.pause(limit, report.holdMs);
    for (const line of this.#lines.values()) if (line.limits.includes(limit)) this.#askNow(line);
    return recorded;
  }

  #lineOf(limits: readonly LimitName[]): Line {
    const existing = this.#lines.get(limits[0]);
    if (existing !== undefined) return existing;
    const windows = limits.flatMap((name) => this.#source.windows[name]);
    const noPlan = { waits: [], answeredAt: 0, pausedUntil: NOW, concernsAll: false, askAt: NOW };
    const line: Line = { limits, windows, calls: new Set(), ...noPlan };
    this.#lines.set(limits[0], line);
    return line;
  }

  #askNow(line: Line): void {
    line.askAt = NOW;
    void this.#ask();
  }

  /** Asks for slots, one question after the other, until each line knows when to ask again. */
  async #ask(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    try {
      for (;;) {
        const [line, ...others] = this.#dueLines();
        if (line === undefined) break;
        const now = this.#clock.now();
        const calls = firstCalls(line, MOST_PLANNED);
        // A call of another line that came earlier takes its slot of a common limit first.
        const sharing = others.find(({ limits }) => limits.some((name) => line.limits.includes(name)));
        const most = calls.filter(({ number }) => sharing === undefined || number < firstNumber(sharing)).length;
        const ages = calls.map(({ arrivedAt }) => now - arrivedAt);
        const answer = this.#source.take(line.limits, ages, most);
        this.#apply(line, answer instanceof Promise ? await answer : answer, most);
      }
    } catch (error) {
      for (const { calls } of this.#lines.values()) for (const call of calls) call.fail(error);
    }
    this.#isAsking = false;
    this.#schedule();
  }

  /** The lines that are due, first the one whose first call came first. */
  #dueLines(): Line[] {
    const now = this.#clock.now();
    const due = [...this.#lines.values()].filter(({ calls, askAt }) => calls.size > 0 && askAt <= now);
    return due.sort((a, b) => firstNumber(a) - firstNumber(b));
  }

  #apply(line: Line, { waits, taken, pauseMs, askInMs }: SlotAnswer, most: number): void {
    const now = this.#clock.now();
    if (pauseMs > 0 && now + pauseMs > line.pausedUntil + SAME_PAUSE_MS) line.concernsAll = true;
    Object.assign(line, { waits, answeredAt: now, pausedUntil: now + pauseMs, askAt: NOW });
    for (const [index, waitMs] of waits.slice(0, taken).entries()) {
      let [call] = line.calls;
      while (call !== undefined && !tellWait(line, call, index, now)) [call] = line.calls;
      call?.sendAfter(waitMs);
    }
    line.waits = waits.slice(taken);
    const [waitMs] = line.waits;
    // Without a plan for all of the first calls, the line is asked about again at once.
    if (waitMs === undefined || taken === most || line.waits.length < Math.min(line.calls.size, MOST_PLANNED)) return;
    const concerned = line.concernsAll ? line.calls : firstCalls(line, MOST_PLANNED);
    line.concernsAll = false;
    let position = 0;
    for (const call of concerned) if (tellWait(line, call, position, now)) position += 1;
    line.askAt = now + (askInMs ?? waitMs);
  }

  /** Starts the timer for the next question. It runs only while a call waits for a slot. */
  #schedule(): void {
    if (this.#isAsking) return;
    this.#stopTimer();
    const waiting = [...this.#lines.values()].filter(({ calls }) => calls.size > 0);
    if (waiting.length === 0) return;
    const waitMs = Math.min(...waiting.map(({ askAt }) => askAt)) - this.#clock.now();
    this.#stopTimer = this.#clock.startTimer(Math.max(0, Math.ceil(waitMs)), () => void this.#ask());
  }
}

function firstCalls({ calls }: Line, most: number): WaitingCall[] {
  const found: WaitingCall[] = [];
  for (const call of calls) if (found.push(call) === most) break;
  return found;
}

const firstNumber = ({ calls: [first] }: { calls: Iterable<WaitingCall> }): number => first?.number ?? 0;

/** The wait of the call at a position of its line, if no other process takes the slots before it. */
function waitAt({ waits, windows }: Line, position: number): number {
  const planned = waits[position];
  if (planned !== undefined) return planned;
  const waitsByWindow = windows.map(({ windowMs, max }) => {
    const before = waits[Math.min(position % max, waits.length - 1)] ?? 0;
    return before + Math.floor(position / max) * windowMs;
  });
  return Math.max(...waitsByWindow, waits.at(-1) ?? 0);
}

/** Tells a call how long it has to wait. Rejects the call and returns `false` if it cannot wait so long. */
function tellWait(line: Line, call: WaitingCall, position: number, now: number): boolean {
  const { request } = call;
  const waitMs = line.answeredAt + waitAt(line, position) - now;
  const pauseMs = line.pausedUntil - now;
  try {
    const pauseError = pauseMs > 0 ? request.createPauseError?.(Math.ceil(pauseMs)) : undefined;
    if (pauseError !== undefined) throw pauseError;
    if (waitMs > request.remainingMs()) throw request.createTimeoutError();
    if (waitMs > 0 && !call.hasReportedWait) {
      call.hasReportedWait = true;
      request.onWait(Math.ceil(waitMs));
    }
  } catch (error) {
    call.fail(error);
  }
  return line.calls.has(call);
}
