/** A hook of ky: delays each attempt until the throttle admits it. */
import { RateLimitedError } from "../errors/api-error.js";
import { authorise } from "./authorise.js";
import { timeoutError } from "./connection-error-from.js";
import type { RunningCall } from "./running-call.js";
import { waitForTurn } from "./throttle/wait-for-turn.js";

export async function waitForThrottle(request: Request, call: RunningCall): Promise<void> {
  const { config, deadline, limits } = call;
  if (config.throttle === undefined) return;
  const throttled = {
    operation: call.operation.name,
    token: call.token,
    signal: deadline.signal,
    remainingMs: deadline.remainingMs,
    createTimeoutError: () =>
      timeoutError(call, "deadlineMs, waiting for the throttle", deadline.remainingMs(), { outcome: "not_sent" }),
    createPauseError: (pauseMs: number) => (pauseMs > limits.maxRetryDelayMs ? pauseError(call, pauseMs) : undefined),
  };
  const waited = await waitForTurn(config.throttle, throttled, config);
  // The token may have expired during the wait.
  if (waited) await authorise(request, call);
}

/** The error of a call that is not sent during a long pause, which the service asked for in an earlier response. */
function pauseError({ request, path }: RunningCall, retryAfterMs: number): RateLimitedError {
  const message = `${request.method} ${path} was not sent: the service asked for a pause of ${retryAfterMs} ms, longer than maxRetryDelayMs`;
  return new RateLimitedError(message, { request, retryAfterMs, outcome: "not_sent", attempts: 0 });
}
