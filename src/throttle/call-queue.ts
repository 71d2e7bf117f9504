/**
 * The calls of one account that wait for its limits: first come, first served. It is the same for a throttle in one
 * process and for one that several processes share; only the source of the slots differs.
 */
import { onAbort, reasonOf, throwIfAborted } from "../async/abort.js";
import { Clock } from "../async/clock.js";
import { type LimitName, limitsOf } from "../endpoints/limits.js";
import { type LimitReport, reportedLimit, type Throttle, type ThrottleRequest } from "./throttle.js";
import type { LimitWindow, WindowsByLimit } from "./throttle-options.js";

/** The slots for the calls that ask. All times are in milliseconds from now. */
export interface SlotAnswer {
  /** The slots that were taken, for the first of these calls. */
  readonly taken: readonly number[];
  /** The slots that will probably follow, at least one; none if each call has a slot. */
  readonly planned: readonly number[];
  /** When to ask again, if a call has no slot. */
  readonly askInMs: number;
  /** How long the service's own pause still lasts. */
  readonly pauseMs: number;
}

/** Gives out slots: the times at which one call of an account may be sent. */
export interface SlotSource {
  readonly windows: WindowsByLimit;
  /**
   * Takes the next free slots that are near enough. Each counts under all `limits`.
   *
   * @param ages - How long each call that asks has waited, in milliseconds, the longest wait first.
   */
  take(limits: readonly LimitName[], ages: readonly number[]): SlotAnswer | Promise<SlotAnswer>;
  /** There is no slot in the next `pauseMs` milliseconds, also for questions that are asked from now on. */
  pause(limit: LimitName, pauseMs: number): void | Promise<void>;
}

/** How many calls ask at once, and how many slots an answer plans. */
export const MOST_SLOTS = 60;

interface WaitingCall {
  /** Numbers the calls of a queue in the order of their arrival. */
  readonly number: number;
  readonly arrivedAt: number;
  readonly onWait: ThrottleRequest["onWait"];
  /** Removes the call from its line: it has a slot, which begins in `waitMs`. */
  send(waitMs: number): void;
  /** Removes the call from its line: it is not sent. */
  fail(error: unknown): void;
}

/** The calls that count for the same limits and have no slot yet. */
interface Line {
  readonly limits: readonly LimitName[];
  readonly windows: readonly LimitWindow[];
  /** In order of arrival. */
  readonly calls: Set<WaitingCall>;
  /** The slots that these calls wait for. A line without a plan asks at once. */
  plan: SlotPlan | undefined;
}

interface SlotPlan {
  /** The wait for each slot, as far as it was needed. */
  readonly waits: number[];
  readonly pauseMs: number;
  readonly answeredAt: number;
  readonly askAt: number;
}

export class CallQueue implements Throttle {
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

  async acquire({ operation, signal, onWait }: ThrottleRequest): Promise<void> {
    throwIfAborted(signal);
    const line = this.#lineOf(limitsOf(operation));
    const waitMs = await new Promise<number>((resolve, reject) => {
      const leave = () => {
        stopListening();
        line.calls.delete(call);
        if (line.calls.size > 0) return;
        line.plan = undefined;
        this.#setTimer();
      };
      this.#lastNumber += 1;
      const call: WaitingCall = {
        number: this.#lastNumber,
        arrivedAt: this.#clock.now(),
        onWait,
        send(waitMs) {
          leave();
          resolve(waitMs);
        },
        fail(error) {
          leave();
          reject(error);
        },
      };
      const stopListening = onAbort(signal, () => call.fail(signal && reasonOf(signal)));
      line.calls.add(call);
      if (line.plan !== undefined) this.#reportPlannedWait(line.plan, line, call, line.calls.size - 1);
      void this.#askForSlots();
    });
    if (waitMs > 0) await this.#clock.pause(waitMs, signal);
  }

  hold(report: LimitReport): void | Promise<void> {
    const { windows } = this.#source;
    const limit = reportedLimit(report, windows.other[0]?.max ?? Number.POSITIVE_INFINITY);
    const stored = this.#source.pause(limit, report.holdMs);
    for (const line of this.#lines.values()) if (line.limits.includes(limit)) line.plan = undefined;
    void this.#askForSlots();
    return stored;
  }

  #lineOf(limits: readonly LimitName[]): Line {
    const existing = this.#lines.get(limits[0]);
    if (existing !== undefined) return existing;
    const windows = limits.flatMap((name) => this.#source.windows[name]);
    const line: Line = { limits, windows, calls: new Set(), plan: undefined };
    this.#lines.set(limits[0], line);
    return line;
  }

  /** Asks for slots, one question after the other, until each line has a plan. Then waits for the next time to ask. */
  async #askForSlots(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    try {
      for (;;) {
        const now = this.#clock.now();
        const [line, next] = this.#waitingLines().filter(({ plan }) => plan === undefined || plan.askAt <= now);
        if (line === undefined) break;
        // The lines may share a limit, so a call that came after the first call of the next line waits for it.
        const calls = firstCalls(line).filter(({ number }) => next === undefined || number < firstNumber(next));
        const ages = calls.map(({ arrivedAt }) => now - arrivedAt);
        const answer = this.#source.take(line.limits, ages);
        this.#giveSlots(line, "then" in answer ? await answer : answer);
      }
    } catch (error) {
      for (const { calls } of this.#lines.values()) for (const call of calls) call.fail(error);
    }
    this.#isAsking = false;
    this.#setTimer();
  }

  #giveSlots(line: Line, { taken, planned, askInMs, pauseMs }: SlotAnswer): void {
    for (const waitMs of taken) {
      for (const call of line.calls) {
        // A call that does not wait so long leaves its slot to the next call.
        if (!reportWait(call, waitMs, pauseMs)) continue;
        call.send(waitMs);
        break;
      }
    }
    if (planned.length === 0 || line.calls.size === 0) {
      line.plan = undefined;
      return;
    }
    const answeredAt = this.#clock.now();
    const plan = { waits: [...planned], pauseMs, answeredAt, askAt: answeredAt + askInMs };
    const waitsAreKnown = line.plan !== undefined && pauseMs === 0;
    line.plan = plan;
    if (waitsAreKnown) return;
    let position = 0;
    for (const call of line.calls) if (this.#reportPlannedWait(plan, line, call, position)) position += 1;
  }

  #reportPlannedWait(plan: SlotPlan, { windows }: Line, call: WaitingCall, position: number): boolean {
    const passedMs = this.#clock.now() - plan.answeredAt;
    return reportWait(call, plannedWait(plan.waits, windows, position) - passedMs, plan.pauseMs - passedMs);
  }

  /** The lines in which calls wait, first the one whose first call came first. */
  #waitingLines(): Line[] {
    const lines = [...this.#lines.values()].filter(({ calls }) => calls.size > 0);
    return lines.sort((a, b) => firstNumber(a) - firstNumber(b));
  }

  /** Starts the one timer, for the next question. It runs only while a call waits for a slot. */
  #setTimer(): void {
    if (this.#isAsking) return;
    this.#stopTimer();
    const askAt = Math.min(...this.#waitingLines().map(({ plan }) => plan?.askAt ?? 0));
    if (askAt === Number.POSITIVE_INFINITY) return;
    const waitMs = Math.max(0, Math.ceil(askAt - this.#clock.now()));
    this.#stopTimer = this.#clock.startTimer(waitMs, () => void this.#askForSlots());
  }
}

const firstNumber = ({ calls: [first] }: { calls: Iterable<WaitingCall> }): number => first?.number ?? 0;

function firstCalls({ calls }: Line): WaitingCall[] {
  const found: WaitingCall[] = [];
  for (const call of calls) if (found.push(call) === MOST_SLOTS) break;
  return found;
}

/** The wait of the call at a position of its line, if no other process takes the slots before it. */
function plannedWait(waits: number[], windows: readonly LimitWindow[], position: number): number {
  while (waits.length <= position) {
    // Each slot begins one window after the slot that is `max` places before it.
    const ends = windows.map(({ windowMs, max }) => (waits.at(-max) ?? Number.NEGATIVE_INFINITY) + windowMs);
    waits.push(Math.max(...ends, waits.at(-1) ?? 0));
  }
  return waits[position] ?? 0;
}

/** Reports its wait to a call. Rejects the call and returns `false` if it does not wait so long. */
function reportWait(call: WaitingCall, waitMs: number, pauseMs: number): boolean {
  try {
    if (waitMs > 0) call.onWait(waitMs, Math.max(0, pauseMs));
    return true;
  } catch (error) {
    call.fail(error);
    return false;
  }
}
