/** Runs a call with ky: one attempt after the other, each with its token and its turn, until a result or an error. */
import { abortable, throwIfAborted } from "../async/abort.js";
import { TimeLimit } from "../async/time-limit.js";
import { timeoutError } from "../errors/connection-error-from.js";
import { isNotetakerError } from "../errors/error-of-record.js";
import { isTemporary } from "../errors/is-temporary.js";
import { addCallFacts, NotetakerError, OUTCOMES, type Outcome } from "../errors/notetaker-error.js";
import type { ApiResponse } from "./api-promise.js";
import { makeAttempt } from "./attempt.js";
import { AttemptStart } from "./attempt-start.js";
import { CallToken } from "./call-token.js";
import type { CheckedCall } from "./checked-call.js";
import type { Ky } from "./load-ky.js";
import { notify } from "./logger.js";
import { mayRepeat, type RetryReport, type RetryRules, retryDelayMs } from "./retry-policy.js";

export async function runCall(call: CheckedCall, loadKy: () => Ky | Promise<Ky>): Promise<ApiResponse<unknown>> {
  const { operation, limits } = call;
  const callerSignal = call.options.signal;
  const deadline = new TimeLimit(callerSignal, limits.deadlineMs, (ms) => timeoutError(call, "deadlineMs", ms));
  /** Aborts when the caller cancels the call, or its deadline has passed; `undefined` if neither can happen. */
  const signal = callerSignal === undefined && limits.deadlineMs === undefined ? undefined : deadline.signal;
  const rules = retryRules(call);
  const token = tokenOf(call, rules);
  const start = new AttemptStart(call, token, signal);
  const secrets = new Set<string>();
  let attempts = 0;
  let retries = 0;
  let delayMs = 0;
  let outcome: Outcome = "not_sent";
  let result: ApiResponse<unknown> | undefined;
  /** The error of the latest attempt. What the token function or the throttle throws is none, and is not retried. */
  let failure: unknown;

  // The turn and the limit of an attempt begin here, not in the hook, which ky 2 runs once per call.
  const tryOnce = async (request: Request): Promise<Response> => {
    await start.waitForRateLimit(request, deadline);
    attempts += 1;
    const authorization = request.headers.get("authorization") as string;
    try {
      const { limit } = start;
      result = await makeAttempt({ call, number: attempts, token: token.value, authorization, limit, secrets });
      return result.response;
    } catch (error) {
      failure = error;
      if (error instanceof NotetakerError) outcome = leastCertain(outcome, error.outcome);
      throw error;
    } finally {
      start.end();
    }
  };

  /** ky asks after each failure. It then waits for `delayMs`, or ends the call with the failure. */
  const shouldRetry = (): boolean => {
    const error = failure;
    failure = undefined;
    if (signal?.aborted || !isNotetakerError(error)) return false;
    delayMs = 0;
    if (token.renew(error)) return true;
    const wait = retryDelayMs(error, retries + 1, rules);
    if (wait === undefined || wait >= deadline.remainingMs()) return false;
    retries += 1;
    delayMs = wait;
    reportRetry(call, { attempt: attempts, delayMs, error });
    return true;
  };

  try {
    const ky = await abortable(Promise.resolve(loadKy()), signal);
    await ky(call.url, {
      method: operation.method,
      ...(signal ? { signal } : {}),
      hooks: { beforeRequest: [(request) => start.authorise(request)] },
      retry: { limit: Number.POSITIVE_INFINITY, methods: [operation.method], shouldRetry, delay: () => delayMs },
      fetch: (request) => tryOnce(request as Request),
    });
    return result as ApiResponse<unknown>;
  } catch (error) {
    throwIfAborted(callerSignal);
    throw error instanceof NotetakerError ? withCallFacts(error, attempts, outcome, rules) : error;
  } finally {
    start.end();
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

/** If one attempt may have had an effect, a later attempt that is refused does not change that. */
const leastCertain = (before: Outcome, now: Outcome): Outcome =>
  OUTCOMES.indexOf(now) > OUTCOMES.indexOf(before) ? now : before;

function withCallFacts(error: NotetakerError, attempts: number, outcome: Outcome, rules: RetryRules): NotetakerError {
  // If the service did nothing, the call may be sent again, whatever its retry class.
  const mayBeSent = rules.bodyRepeatable ? isTemporary(error) : outcome === "not_sent" && error.retryable;
  const hadNoEffect = outcome === "not_sent" || outcome === "rejected";
  return addCallFacts(error, { attempts, outcome, retryable: hadNoEffect ? mayBeSent : mayRepeat(error, rules) });
}
