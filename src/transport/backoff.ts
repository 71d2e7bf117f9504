/** The retry options of one call for ky: whether a failed attempt is repeated, and after which wait. */
import { isNotetakerError } from "../errors/any-notetaker-error.js";
import { renewToken } from "./authorise.js";
import { timeoutError } from "./connection-error-from.js";
import { notify } from "./logger.js";
import { type RetryRules, retryDelayMs } from "./retry-policy.js";
import type { RunningCall } from "./running-call.js";

/** ky asks `shouldRetry` after each failure. It then waits for `delay`, or ends the call with the failure. */
export const retryOptions = (call: RunningCall) => ({
  limit: Number.POSITIVE_INFINITY,
  methods: [call.operation.method],
  async shouldRetry({ error }: { error: unknown }): Promise<boolean> {
    const failure = await failureOf(error, call);
    if (await shouldRetry(failure, call)) return true;
    // ky would end the call with its own error.
    if (failure !== error) throw failure;
    return false;
  },
  delay: () => call.delayMs,
});

/**
 * The failure that an error of ky stands for. If ky gives up on an attempt that still runs, its timeout has passed:
 * then the attempt is aborted, and its own error is the failure. It may be a refusal whose body was incomplete.
 */
async function failureOf(kyError: unknown, call: RunningCall): Promise<unknown> {
  const { attempt, limits } = call;
  if (attempt === undefined || attempt.isDone) return kyError;
  const timedOut = timeoutError(call, "timeoutMs", limits.timeoutMs);
  attempt.limit.abort(timedOut);
  try {
    await attempt.done;
    return timedOut;
  } catch (error) {
    return error;
  }
}

/** Decides about a retry. If there is one, `call.delayMs` becomes the wait before it. */
async function shouldRetry(error: unknown, call: RunningCall): Promise<boolean> {
  const { operation, config, limits, deadline } = call;
  // Without an attempt, the token function or the throttle has failed.
  if (call.attempt === undefined || call.signal?.aborted || !isNotetakerError(error)) return false;
  call.delayMs = 0;
  if (await renewToken(error, call)) return true;
  if (operation.sentOnce || call.retries >= limits.maxRetries) return false;
  const delayMs = retryDelayMs(error, call.retries + 1, retryRules(call));
  if (delayMs === undefined || delayMs >= deadline.remainingMs()) return false;
  call.retries += 1;
  call.delayMs = delayMs;
  const report = { operation: operation.name, attempt: call.attempts, delayMs, error };
  notify("onRetry", config.onRetry, report, config.logger);
  return true;
}

export const retryRules = ({ operation, streamBody, limits }: RunningCall): RetryRules => ({
  retry: operation.retry,
  bodyRepeatable: streamBody?.repeatable ?? true,
  maxRetryDelayMs: limits.maxRetryDelayMs,
});
