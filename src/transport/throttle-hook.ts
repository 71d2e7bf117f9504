import { abortable } from "../async/abort.js";
import type { TimeLimit } from "../async/time-limit.js";
import { MINUTE_MS } from "../async/timers.js";
import { RATE_LIMITS } from "../endpoints/limits.js";
import { ApiError, RateLimitedError } from "../errors/api-error.js";
import { TimeoutError } from "../errors/call-errors.js";
import { isRateLimited } from "../errors/is-temporary.js";
import { isUsedUp, readRateLimit } from "../errors/rate-limit.js";
import { readRateLimitReset, readRetryAfter } from "../errors/retry-after.js";
import type { Throttle } from "../throttle/throttle.js";
import type { Attempt, CheckedCall } from "./checked-call.js";
import { log, notify } from "./logger.js";

/** A reset and the time that it is compared with are whole seconds: each may be a second off. */
const RESET_IMPRECISION_MS = 2_000;

/** Two waits of a call whose ends differ by less are the same wait. */
const SAME_WAIT_MS = 1_000;

/** Resolves to whether the call has waited. Rejects as soon as it is aborted, even if the throttle hangs. */
export async function waitForThrottle(
  throttle: Throttle,
  token: string,
  call: CheckedCall,
  deadline: TimeLimit,
): Promise<boolean> {
  const { limits } = call;
  const { signal } = deadline;
  const { logger, onThrottle } = call.config;
  const operation = call.operation.name;
  let waitsUntil: number | undefined;
  const acquire = async () =>
    throttle.acquire({
      operation,
      token,
      signal,
      onWait(waitMs, pauseMs = 0) {
        if (pauseMs > limits.maxRetryDelayMs) throw pauseError(call, Math.ceil(pauseMs));
        if (waitMs > deadline.remainingMs()) throw tooLongWaitError(call);
        const until = performance.now() + waitMs;
        if (waitsUntil !== undefined && until < waitsUntil + SAME_WAIT_MS) return;
        waitsUntil = until;
        const report = { operation, waitMs: Math.ceil(waitMs) };
        log(logger, "info", "notetaker: waiting for the rate limit", report);
        notify("onThrottle", onThrottle, report, logger);
      },
    });
  await abortable(acquire(), signal);
  return waitsUntil !== undefined;
}

function tooLongWaitError({ request, path, limits: { deadlineMs = 0 } }: CheckedCall): TimeoutError {
  const message = `${request.method} ${path} was not sent: the wait would be longer than ${deadlineMs} ms (deadlineMs, waiting for the throttle)`;
  return new TimeoutError({ message, request, timeoutMs: deadlineMs, outcome: "not_sent" });
}

function pauseError({ request, path }: CheckedCall, retryAfterMs: number): RateLimitedError {
  const message = `${request.method} ${path} was not sent: the service asked for a pause of ${retryAfterMs} ms, longer than maxRetryDelayMs`;
  return new RateLimitedError({ message, request, retryAfterMs, outcome: "not_sent", attempts: 0 });
}

/** The time until the reset, in milliseconds. If it seems a little longer than a limit, it is as long as the limit. */
function pauseUntilReset(headers: Headers): number {
  const pauseMs = readRateLimitReset(headers) ?? 0;
  const limit = Object.values(RATE_LIMITS)
    .flat()
    .find(({ perMs }) => perMs < pauseMs && pauseMs <= perMs + RESET_IMPRECISION_MS);
  return limit?.perMs ?? pauseMs;
}

/** Delays the next calls if a limit is used up. The result of the call does not depend on this report. */
export function reportLimits(
  {
    call: {
      config: { throttle, logger },
      operation: { name: operation },
    },
    token,
  }: Attempt,
  response: Response | undefined,
  error: unknown,
): void {
  if (throttle === undefined || response === undefined) return;
  const { headers } = response;
  if (!isUsedUp(headers) && !isRateLimited(error)) return;
  const reportedMs = readRetryAfter(headers) ?? pauseUntilReset(headers);
  // A firewall or a proxy does not know the limits of the account.
  const isForeign = error instanceof ApiError && !error.fromService;
  const pauseMs = isForeign ? Math.min(reportedMs, MINUTE_MS) : reportedMs;
  if (pauseMs <= 0) return;
  const pause = async () => throttle.pause({ operation, token, limit: readRateLimit(headers)?.limit, pauseMs });
  pause().catch(() => log(logger, "warn", "notetaker: the throttle could not store a pause", { operation }));
}
