/** Keeps the limits of one account in one process. */
import { onAbort } from "../../async/on-abort.js";
import { LimitQueue, type WaitingCall } from "./limit-queue.js";
import {
  type LimitName,
  type LimitReport,
  limitsOf,
  reportedLimit,
  type Throttle,
  type ThrottleRequest,
} from "./throttle.js";
import { type ThrottleLimits, windowsOf } from "./throttle-options.js";

/** The limits of one token. */
type Queues = Readonly<Record<LimitName, LimitQueue>>;

export class LocalThrottle implements Throttle {
  readonly #queues: Queues;
  readonly #otherPerMinute: number;

  constructor(limits?: ThrottleLimits) {
    const windows = windowsOf(limits);
    this.#otherPerMinute = windows.other[0]?.max ?? Number.POSITIVE_INFINITY;
    this.#queues = {
      sendBot: new LimitQueue(windows.sendBot),
      upload: new LimitQueue(windows.upload),
      createWebhook: new LimitQueue(windows.createWebhook),
      other: new LimitQueue(windows.other),
    };
  }

  async acquire(request: ThrottleRequest): Promise<void> {
    const taken: { queue: LimitQueue; at: number }[] = [];
    for (const name of limitsOf(request.operation)) {
      const queue = this.#queues[name];
      const at = await takePlace(queue, request);
      // While it waited for this limit, it had not gone for the limits before.
      for (const earlier of taken) earlier.queue.correct(earlier.at, at);
      taken.push({ queue, at });
    }
  }

  hold(report: LimitReport): void {
    this.#queues[reportedLimit(report, this.#otherPerMinute)].holdUntil(performance.now() + report.holdMs);
  }
}

/** Resolves to the time at which the call went, for this limit. */
async function takePlace(queue: LimitQueue, request: ThrottleRequest): Promise<number> {
  const now = performance.now();
  const at = queue.nextAt(now);
  if (at <= now) {
    queue.take(now);
    return now;
  }
  const latestAt = now + request.remainingMs();
  if (at > latestAt) throw request.createTimeoutError();
  request.onWait(Math.ceil(at - now));
  return new Promise((resolve, reject) => {
    const call: WaitingCall = {
      at,
      latestAt,
      go(wentAt) {
        stopWaiting();
        resolve(wentAt);
      },
      giveUp() {
        stopWaiting();
        reject(request.createTimeoutError());
      },
    };
    queue.enqueue(call);
    const stopWaiting = onAbort(request.signal, () => {
      queue.remove(call);
      reject(request.signal?.reason);
    });
  });
}
