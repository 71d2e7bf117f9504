/** Runs a call with ky: one attempt after the other, each with its token and its turn, until a result or an error. */
import { abortable, throwIfAborted } from "../async/abort.js";
import { TimeLimit } from "../async/time-limit.js";
import type { TimeoutError } from "../errors/call-errors.js";
import { timeoutError } from "../errors/connection-error-from.js";
import { isNotetakerError } from "../errors/error-of-name.js";
import { isTemporary } from "../errors/is-temporary.js";
import { addCallFacts, NotetakerError, OUTCOMES, type Outcome } from "../errors/notetaker-error.js";
import type { ApiResponse } from "./api-promise.js";
import { makeAttempt } from "./attempt.js";
import { CallToken } from "./call-token.js";
import type { CheckedCall } from "./checked-call.js";
import type { Ky } from "./load-ky.js";
import { notify } from "./logger.js";
import { isRetryable, type RetryReport, type RetryRules, retryDelayMs } from "./retry-policy.js";
import { waitForThrottle } from "./throttle-hook.js";

/** `loadKy` returns the client's instance of ky. */
export async function runCall(call: CheckedCall, loadKy: () => Ky | Promise<Ky>): Promise<ApiResponse<unknown>> {
  const { operation, limits, callerSignal } = call;
  const deadline = new TimeLimit(callerSignal, limits.deadlineMs, (ms) => timeoutError(call, "deadlineMs", ms));
  /** Aborts when the caller cancels the call, or its deadline has passed; `undefined` if neither can happen. */
  const signal = callerSignal === undefined && limits.deadlineMs === undefined ? undefined : deadline.signal;
  const rules = retryRules(call);
  const token = tokenOf(call, rules);
  /** All secrets that were sent with the call, whoever set them. None of them may appear in its errors. */
  const secrets = new Set<string>();
  let attempts = 0;
  let retries = 0;
  let delayMs = 0;
  let outcome: Outcome = "not_sent";
  let result: ApiResponse<unknown> | undefined;
  /** The error of the latest attempt. What the token function or the throttle throws is none, and is not retried. */
  let failure: unknown;
  /** The limit of the current attempt, from its token to the last byte. */
  let limit: TimeLimit = deadline;

  const authorise = async ({ headers }: Request): Promise<void> => {
    failure = undefined;
    const previous = attempts;
    limit = new TimeLimit(signal, limits.timeoutMs, (ms) => attemptTimeout(call, ms, attempts > previous));
    await takeTurn(call, token, limit, deadline);
    headers.set("authorization", `Bearer ${token.value}`);
  };

  const tryOnce = async (request: Request): Promise<Response> => {
    attempts += 1;
    const authorization = request.headers.get("authorization") as string;
    try {
      result = await makeAttempt({ call, number: attempts, token: token.value, authorization, limit, secrets });
      return result.response;
    } catch (error) {
      failure = error;
      if (error instanceof NotetakerError) outcome = leastCertain(outcome, error.outcome);
      throw error;
    }
  };

  /** ky asks after each failure. It then waits for `delayMs`, or ends the call with the failure. */
  const shouldRetry = (): boolean => {
    if (signal?.aborted || !isNotetakerError(failure)) return false;
    delayMs = 0;
    if (token.renew(failure)) return true;
    const wait = retryDelayMs(failure, retries + 1, rules);
    if (wait === undefined || wait >= deadline.remainingMs()) return false;
    retries += 1;
    delayMs = wait;
    reportRetry(call, { attempt: attempts, delayMs, error: failure });
    return true;
  };

  try {
    const ky = await abortable(Promise.resolve(loadKy()), signal);
    await ky(call.url, {
      method: operation.method,
      ...(signal ? { signal } : {}),
      hooks: { beforeRequest: [authorise] },
      retry: { limit: Number.POSITIVE_INFINITY, methods: [operation.method], shouldRetry, delay: () => delayMs },
      fetch: (request) => tryOnce(request as Request),
    });
    return result as ApiResponse<unknown>;
  } catch (error) {
    throwIfAborted(callerSignal);
    throw error instanceof NotetakerError ? withCallFacts(error, attempts, outcome, rules) : error;
  } finally {
    limit.dispose();
    deadline.dispose();
  }
}

function reportRetry({ operation, config }: CheckedCall, report: Omit<RetryReport, "operation">): void {
  notify("onRetry", config.onRetry, { operation: operation.name, ...report }, config.logger);
}

const retryRules = ({ operation, limits, streamBody }: CheckedCall): RetryRules => ({
  retry: operation.retry,
  bodyRepeatable: streamBody?.repeatable ?? true,
  maxRetries: operation.retriedByCaller ? 0 : limits.maxRetries,
  maxRetryDelayMs: limits.maxRetryDelayMs,
});

function tokenOf({ operation, config, limits }: CheckedCall, { bodyRepeatable }: RetryRules): CallToken {
  const mayRenew = bodyRepeatable && (limits.maxRetries > 0 || operation.renewsToken === true);
  return new CallToken(operation.name, operation.token ?? config.token, mayRenew);
}

/**
 * Requests the token of an attempt, and waits until the throttle admits the attempt. The limit of the attempt does not
 * run during this wait.
 */
async function takeTurn(call: CheckedCall, token: CallToken, limit: TimeLimit, deadline: TimeLimit): Promise<void> {
  const { throttle } = call.config;
  await token.next(limit.signal);
  if (throttle === undefined) return;
  const resume = limit.pause();
  const hasWaited = await waitForThrottle(throttle, token.value, call, deadline);
  resume();
  // The token may have expired.
  if (hasWaited) await token.next(limit.signal);
}

function attemptTimeout(call: CheckedCall, ms: number, hasBegun: boolean): TimeoutError {
  if (!hasBegun) return timeoutError(call, "timeoutMs of the token function", ms, { outcome: "not_sent" });
  return timeoutError(call, call.streamBody ? "timeoutMs without progress" : "timeoutMs", ms);
}

/** If one attempt may have had an effect, a later attempt that is refused does not change that. */
const leastCertain = (before: Outcome, now: Outcome): Outcome =>
  OUTCOMES.indexOf(now) > OUTCOMES.indexOf(before) ? now : before;

function withCallFacts(error: NotetakerError, attempts: number, outcome: Outcome, rules: RetryRules): NotetakerError {
  // If the service did nothing, the call may be sent again, whatever its retry class.
  const mayBeSent = rules.bodyRepeatable ? isTemporary(error) : outcome === "not_sent" && error.retryable;
  const hadNoEffect = outcome === "not_sent" || outcome === "rejected";
  return addCallFacts(error, { attempts, outcome, retryable: hadNoEffect ? mayBeSent : isRetryable(error, rules) });
}
