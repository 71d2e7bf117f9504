/**
 * A hook of ky that delays each attempt until the throttle admits it, and the report of used-up limits to the throttle.
 */
import { abortable } from "../async/abort.js";
import { RateLimitedError } from "../errors/api-error.js";
import { isRateLimited } from "../errors/is-temporary.js";
import { readRateLimitReset, readRetryAfter } from "../errors/retry-after.js";
import { readRateLimit } from "../schemas/rate-limit.js";
import { authorise } from "./authorise.js";
import { timeoutError } from "./connection-error-from.js";
import { log, notify } from "./logger.js";
import type { RunningCall } from "./running-call.js";
import type { Throttle } from "./throttle/throttle.js";

/** Rejects as soon as the call is aborted, even if the throttle hangs. */
export async function waitForThrottle(throttle: Throttle, request: Request, call: RunningCall): Promise<void> {
  const { deadline, limits, token } = call;
  const { logger, onThrottle } = call.config;
  const operation = call.operation.name;
  const { signal, remainingMs } = deadline;
  let waited = false;
  const acquire = async () =>
    throttle.acquire({
      operation,
      token,
      signal,
      remainingMs,
      createTimeoutError: () =>
        timeoutError(call, "deadlineMs, waiting for the throttle", remainingMs(), { outcome: "not_sent" }),
      createPauseError: (pauseMs) => (pauseMs > limits.maxRetryDelayMs ? pauseError(call, pauseMs) : undefined),
      onWait(waitMs) {
        waited = true;
        log(logger, "info", "notetaker: waiting for the rate limit", { operation, waitMs });
        notify("onThrottle", onThrottle, { operation, waitMs }, logger);
      },
    });
  await abortable(acquire(), signal);
  // The token may have expired during the wait.
  if (waited) await authorise(request, call);
}

/** The error of a call that is not sent during a long pause, which the service asked for in an earlier response. */
function pauseError({ request, path }: RunningCall, retryAfterMs: number): RateLimitedError {
  const message = `${request.method} ${path} was not sent: the service asked for a pause of ${retryAfterMs} ms, longer than maxRetryDelayMs`;
  return new RateLimitedError(message, { request, retryAfterMs, outcome: "not_sent", attempts: 0 });
}

/**
 * Tells the throttle to delay the next calls, if the response reports that a limit is used up. The result of a call
 * neither waits for this report nor depends on it.
 */
export function reportLimits(
  { config: { throttle, logger }, operation: { name: operation }, token }: RunningCall,
  response: Response | undefined,
  error: unknown,
): void {
  if (throttle === undefined || response === undefined) return;
  const { headers } = response;
  const rateLimit = readRateLimit(headers);
  if (rateLimit?.remaining !== 0 && !isRateLimited(error)) return;
  const holdMs = readRetryAfter(headers) ?? readRateLimitReset(headers) ?? 0;
  if (holdMs <= 0) return;
  const hold = async () => throttle.hold({ operation, token, limit: rateLimit?.limit, holdMs });
  hold().catch(() => log(logger, "warn", "notetaker: the throttle could not store a pause", { operation }));
}
