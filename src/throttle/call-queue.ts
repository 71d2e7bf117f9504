/**
 * The calls of one account that wait for its limits: first come, first served. Several processes differ only in the
 * source of the slots. Each call has its own timer, and no call needs another one to go on: in an edge worker, they
 * belong to different requests, which may end.
 */
import { abortable, throwIfAborted } from "../async/abort.js";
import { Clock } from "../async/clock.js";
import { type LimitName, limitsCounting } from "../endpoints/limits.js";
import { type LimitReport, reportedLimit, type Throttle, type ThrottleRequest } from "./throttle.js";
import type { WindowsByLimit } from "./throttle-options.js";

export interface SlotQuestion {
  readonly limits: readonly LimitName[];
  /** For each of these limits: how many calls that it counts wait before this one. */
  readonly ahead: readonly number[];
  /** How long the call has waited, in milliseconds. */
  readonly ageMs: number;
}

/** All times are in milliseconds from now. */
export type SlotAnswer = Slot | SlotRefusal;

/** The call was counted, and is sent in `inMs`. */
interface Slot {
  readonly ok: true;
  readonly inMs: number;
  /** Call it if no call needs the slot. */
  readonly giveBack?: () => void;
}

interface SlotRefusal {
  readonly ok: false;
  /** When the call will probably be sent. */
  readonly waitMs: number;
  readonly askInMs: number;
  /** How long the service's own pause still lasts. */
  readonly pauseMs: number;
}

/** Gives out slots: the times at which one call of an account may be sent. */
export interface SlotSource {
  readonly windows: WindowsByLimit;
  /** Counts a call under all its limits, if each of them still has a slot for each call before it. */
  take(question: SlotQuestion): SlotAnswer | Promise<SlotAnswer>;
  /** There is no slot in the next `pauseMs` milliseconds. */
  pause(limit: LimitName, pauseMs: number): void | Promise<void>;
}

/**
 * A call that waits asks again after an eighth of its wait, within these times: a call before it may have left, the
 * service may have asked for a pause, or Redis may be away.
 */
const SOONEST_ASK_MS = 2_000;
const LATEST_ASK_MS = 60_000;

/** Calls that a program makes at the same time ask within this time, one after the other. */
const SAME_TIME_MS = 1_000;

/** A call that is so late to ask loses its place: its request has ended, and an edge worker has stopped its timer. */
const LOST_AFTER_MS = 10_000;

interface WaitingCall {
  readonly limits: readonly LimitName[];
  startsAt: number;
  asksAt: number;
  /** The slot that a later call got and passed to this one; then the call does not wait for a slot any more. */
  slotAt: number | undefined;
  wake(): void;
}

export class CallQueue implements Throttle {
  readonly #source: SlotSource;
  readonly #clock: Clock;
  /** In order of arrival. */
  readonly #calls = new Set<WaitingCall>();
  /** Those with a slot, until they are sent. */
  readonly #leaving = new Set<WaitingCall>();
  /** When the latest slot of the calls with a limit of their own begins. */
  readonly #latestSlots = new Map<LimitName | undefined, number>();

  constructor(source: SlotSource, clock = new Clock()) {
    this.#source = source;
    this.#clock = clock;
  }

  async acquire({ operation, signal, onWait }: ThrottleRequest): Promise<void> {
    const arrivedAt = this.#clock.now();
    const limits = limitsCounting(operation);
    const call: WaitingCall = { limits, startsAt: arrivedAt, asksAt: arrivedAt, slotAt: undefined, wake() {} };
    let reportedStart = Number.NEGATIVE_INFINITY;
    try {
      while (call.slotAt === undefined) {
        throwIfAborted(signal);
        this.#calls.add(call);
        call.asksAt = this.#clock.now();
        const ahead = this.#ahead(call);
        const refusal = await this.#ask(call, { limits, ahead, ageMs: this.#clock.now() - arrivedAt });
        if (refusal === undefined || call.slotAt !== undefined) continue;
        call.startsAt = this.#clock.now() + refusal.waitMs;
        // Calls before it got their slots while the question was on its way.
        if (this.#ahead(call).some((count, index) => count < (ahead[index] ?? 0))) continue;
        if (call.startsAt > reportedStart + 1) {
          onWait(refusal.waitMs, refusal.pauseMs);
          reportedStart = call.startsAt;
        }
        await this.#sleep(call, refusal, signal);
      }
      const inMs = call.slotAt - this.#clock.now();
      if (inMs > 0 || this.#leaving.size > 0) await this.#leave(call, Math.max(inMs, 0), signal);
    } finally {
      this.#calls.delete(call);
      this.#leaving.delete(call);
    }
  }

  /** Waits for the beginning of the call's slot. */
  async #leave(call: WaitingCall, inMs: number, signal: AbortSignal | undefined): Promise<void> {
    let stopTimer = () => {};
    const begun = new Promise<void>((resolve) => {
      call.wake = resolve;
      stopTimer = this.#clock.startTimer(inMs, () => this.#beginUntil(call));
    });
    this.#leaving.add(call);
    await abortable(begun, signal).finally(() => stopTimer());
  }

  /** If the process was busy, the timers of several calls are due, and fire in any order: the first sends them all. */
  #beginUntil({ slotAt = 0 }: WaitingCall): void {
    const due = [...this.#leaving].filter((call) => (call.slotAt ?? 0) <= slotAt);
    for (const call of due.sort((left, right) => (left.slotAt ?? 0) - (right.slotAt ?? 0))) call.wake();
  }

  /** Without a promise of the source, the call leaves the line before another one asks. */
  #ask(call: WaitingCall, question: SlotQuestion): SlotRefusal | undefined | Promise<SlotRefusal | undefined> {
    const asked = this.#source.take(question);
    if (!("then" in asked)) return this.#give(asked, call);
    // With Redis, a later call may be the first to get a slot: the slot is for the first in line.
    const isAlike = ({ limits }: WaitingCall) => limits[0] === question.limits[0];
    return asked.then((answer) => {
      const first = [...this.#calls].find(isAlike);
      // It may be asleep, and must not be overtaken by a call that goes on at once.
      if (answer.ok && first !== undefined && first !== call) this.#leaving.add(first);
      return this.#give(answer, first);
    });
  }

  /** Gives the slot of an answer to a call; if the answer has none, returns it. */
  #give(answer: SlotAnswer, call: WaitingCall | undefined): SlotRefusal | undefined {
    if (!answer.ok) return answer;
    if (call === undefined) answer.giveBack?.();
    else {
      this.#calls.delete(call);
      const now = this.#clock.now();
      const [line] = call.limits;
      const latest = this.#latestSlots.get(line) ?? now;
      // Replies of Redis take different times: a slot in the future begins after the slot of the call before.
      call.slotAt = answer.inMs > 0 || latest > now ? Math.max(now + answer.inMs, latest + 1) : now;
      this.#latestSlots.set(line, call.slotAt);
      call.wake();
    }
    return undefined;
  }

  async #sleep(call: WaitingCall, refusal: SlotRefusal, signal: AbortSignal | undefined): Promise<void> {
    const askAgainMs = Math.max(SOONEST_ASK_MS, Math.min(refusal.waitMs / 8, LATEST_ASK_MS));
    const woken = new Promise<void>((resolve) => {
      call.wake = resolve;
    });
    const sleepMs = Math.ceil(Math.min(refusal.askInMs, askAgainMs));
    call.asksAt = this.#clock.now() + sleepMs;
    await this.#clock.pause(sleepMs, signal, woken);
  }

  pause(report: LimitReport): void | Promise<void> {
    const { windows } = this.#source;
    const limit = reportedLimit(report, windows.other[0]?.max ?? Number.POSITIVE_INFINITY);
    return this.#source.pause(limit, report.pauseMs);
  }

  /**
   * How many calls before this one wait for each of its limits. A call that another limit holds back for a window needs
   * no place in the present one.
   */
  #ahead(call: WaitingCall): number[] {
    const now = this.#clock.now();
    const counts = call.limits.map(() => 0);
    for (const other of this.#calls) {
      if (other === call) break;
      if (other.asksAt + LOST_AFTER_MS < now) this.#calls.delete(other);
      for (const [index, name] of call.limits.entries()) {
        if (!other.limits.includes(name)) continue;
        const [{ windowMs } = { windowMs: 0 }] = this.#source.windows[name];
        const isFarAway = other.limits.length > call.limits.length && other.startsAt > now + windowMs - SAME_TIME_MS;
        if (!isFarAway) counts[index] = (counts[index] ?? 0) + 1;
      }
    }
    return counts;
  }
}
