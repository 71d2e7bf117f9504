/** A hook of ky: delays each attempt until the throttle admits it. */
import { authorise } from "./authorise.js";
import { timeoutError } from "./connection-error-from.js";
import type { RunningCall } from "./running-call.js";
import { waitForTurn } from "./throttle/wait-for-turn.js";

export async function waitForThrottle(request: Request, call: RunningCall): Promise<void> {
  const { config, deadline } = call;
  if (config.throttle === undefined) return;
  const throttled = {
    operation: call.operation.name,
    token: call.token,
    signal: deadline.signal,
    remainingMs: deadline.remainingMs,
    createTimeoutError: () =>
      timeoutError(call, "deadlineMs, waiting for the throttle", deadline.remainingMs(), { outcome: "not_sent" }),
  };
  const waited = await waitForTurn(config.throttle, throttled, config);
  // The token may have expired during the wait.
  if (waited) await authorise(request, call);
}
