/** A throttle that enforces the limits of one account within one process. */
import { onAbort } from "../../async/abort.js";
import { startTimer } from "../../async/timers.js";
import { Limit } from "./limit.js";
import {
  type LimitName,
  type LimitReport,
  limitsOf,
  reportedLimit,
  type Throttle,
  type ThrottleRequest,
} from "./throttle.js";
import { type ThrottleLimits, windowsOf } from "./throttle-options.js";

/** A call that waits for its turn. */
interface WaitingCall {
  /** The limits that count this call. */
  readonly limits: readonly Limit[];
  /** The latest time at which it may be sent. */
  readonly latestAt: number;
  /** Sends the call: its turn has come. */
  go(): void;
  /** Rejects the call, because its turn would come too late. It is not counted. */
  giveUp(): void;
}

/**
 * First come, first served. Each call is sent as soon as all of its limits allow it; the calls that came before it are
 * already counted. All limits of a call count it at the same time.
 */
export class LocalThrottle implements Throttle {
  readonly #limits: Readonly<Record<LimitName, Limit>>;
  readonly #otherPerMinute: number;
  /** In order of arrival. */
  readonly #waiting = new Set<WaitingCall>();
  /**
   * When the last waiting call of each kind will be sent. The key is the first limit of that kind. Later calls of the
   * same kind are not sent earlier.
   */
  readonly #lastAt = new Map<Limit | undefined, number>();
  /** When the timer fires: then the next waiting call is sent, or all calls are planned again. */
  #nextAt = Number.POSITIVE_INFINITY;
  #stopTimer: () => void = () => {};

  constructor(limits?: ThrottleLimits) {
    const windows = windowsOf(limits);
    this.#otherPerMinute = windows.other[0]?.max ?? Number.POSITIVE_INFINITY;
    this.#limits = {
      sendBot: new Limit(windows.sendBot),
      upload: new Limit(windows.upload),
      createWebhook: new Limit(windows.createWebhook),
      other: new Limit(windows.other),
    };
  }

  async acquire(request: ThrottleRequest): Promise<void> {
    const now = performance.now();
    // If the timer is late, the waiting calls whose turn has come are sent first.
    if (now >= this.#nextAt) this.#planAll();
    const limits = limitsOf(request.operation).map((name) => this.#limits[name]);
    const at = this.#earliest(limits, now);
    if (at <= now) {
      for (const limit of limits) limit.send(now);
      return;
    }
    const latestAt = now + request.remainingMs();
    if (at > latestAt) throw request.createTimeoutError();
    request.onWait(Math.ceil(at - now));
    this.#plan(limits, at);
    if (at < this.#nextAt) this.#startTimer(at, now);
    return new Promise((resolve, reject) => {
      const call: WaitingCall = {
        limits,
        latestAt,
        go() {
          stopWaiting();
          resolve();
        },
        giveUp() {
          stopWaiting();
          reject(request.createTimeoutError());
        },
      };
      this.#waiting.add(call);
      const stopWaiting = onAbort(request.signal, () => {
        this.#waiting.delete(call);
        this.#planSoon();
        reject(request.signal?.reason);
      });
    });
  }

  hold(report: LimitReport): void {
    this.#limits[reportedLimit(report, this.#otherPerMinute)].holdUntil(performance.now() + report.holdMs);
    this.#planAll();
  }

  /** One signal may abort many waiting calls. The remaining calls are planned again only once, by a timer. */
  #planSoon(): void {
    const now = performance.now();
    if (this.#waiting.size === 0) this.#planAll();
    else this.#startTimer(now, now);
  }

  /** Plans again when each waiting call may be sent, and sends the calls whose turn has come. */
  #planAll(): void {
    const now = performance.now();
    const due: WaitingCall[] = [];
    const late: WaitingCall[] = [];
    let nextAt = Number.POSITIVE_INFINITY;
    for (const limit of Object.values(this.#limits)) limit.forgetPlans();
    this.#lastAt.clear();
    for (const call of this.#waiting) {
      const at = this.#earliest(call.limits, now);
      if (at > now && at <= call.latestAt) {
        this.#plan(call.limits, at);
        nextAt = Math.min(nextAt, at);
        continue;
      }
      this.#waiting.delete(call);
      if (at > call.latestAt) {
        late.push(call);
        continue;
      }
      for (const limit of call.limits) limit.send(now);
      due.push(call);
    }
    this.#startTimer(nextAt, now);
    for (const call of due) call.go();
    for (const call of late) call.giveUp();
  }

  /** The timer runs only while a call waits. So an idle throttle does not keep the process alive. */
  #startTimer(at: number, now: number): void {
    this.#stopTimer();
    this.#nextAt = at;
    if (at < Number.POSITIVE_INFINITY) this.#stopTimer = startTimer(Math.ceil(at - now), () => this.#planAll());
  }

  /** The earliest time for a call that arrives now and that these limits count. */
  #earliest(limits: readonly Limit[], now: number): number {
    let at = Math.max(now, this.#lastAt.get(limits[0]) ?? now);
    for (;;) {
      const later = limits.reduce((time, limit) => limit.notBefore(time), at);
      if (later === at) return at;
      at = later;
    }
  }

  #plan(limits: readonly Limit[], at: number): void {
    for (const limit of limits) limit.plan(at);
    this.#lastAt.set(limits[0], at);
  }
}
