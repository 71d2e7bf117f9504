/** The options of a client that reads a service at its own pace: for `syncMeetings`, a walk and the doctor. */
import { MAX_TIMER_MS } from "../async/timers.js";
import type { AnyNotetakerError } from "../errors/error-classes.js";
import { localThrottle } from "../throttle/local-throttle.js";
import type { Throttle, ThrottleRequest } from "../throttle/throttle.js";
import { transportOf } from "../transport/resource.js";
import type { RetryReport } from "../transport/retry-policy.js";

export interface Pace {
  /** How many requests may start in any minute. The client's own throttle, if it has one, applies as well. */
  readonly perMinute: number;
  /** Called before each request. An error that it throws rejects the call, and nothing is sent. */
  beforeRequest?(): void;
  /** Called before each wait, with its length in milliseconds: for a rate limit, or to try again after an error. */
  onWait?(waitMs: number, error?: AnyNotetakerError): void;
}

/** Options for `withOptions`. `resource` is a resource of the same client, for example its `meetings`. */
export function atOwnPace(resource: object, { perMinute, beforeRequest, onWait }: Pace) {
  const config = transportOf(resource)?.config;
  const own = localThrottle({ other: { perMinute } });
  const throttle: Throttle = {
    async acquire(request) {
      beforeRequest?.();
      const reporting: ThrottleRequest = {
        ...request,
        onWait(waitMs, pauseMs) {
          request.onWait(waitMs, pauseMs);
          onWait?.(waitMs);
        },
      };
      await own.acquire(reporting);
      await config?.throttle?.acquire(reporting);
    },
    async pause(report) {
      await own.pause(report);
      await config?.throttle?.pause(report);
    },
  };
  return {
    throttle,
    // A deadline for single calls would end a run that waits for its turn.
    deadlineMs: MAX_TIMER_MS,
    onRetry(report: RetryReport) {
      onWait?.(report.delayMs, report.error);
      return config?.onRetry?.(report);
    },
  };
}
