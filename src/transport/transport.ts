/** Sends every call of a resource method: with a token, in one or more attempts, until its result or error. */
import { pause } from "../async/pause.js";
import { isTemporary } from "../errors/is-temporary.js";
import { addCallFacts, NotetakerError, type Outcome } from "../errors/notetaker-error.js";
import { readRateLimit } from "../schemas/rate-limit.js";
import { ApiPromise, type ApiResponse } from "./api-promise.js";
import { attempt } from "./attempt.js";
import { withCallerStack } from "./caller-stack.js";
import { timeoutError } from "./connection-error-from.js";
import type { Operation } from "./operation.js";
import { type PreparedCall, prepare } from "./prepare.js";
import { redirectMode } from "./redirect-mode.js";
import { RenewableToken } from "./renewable-token.js";
import type { RequestOptions } from "./request-options.js";
import { requestToken } from "./request-token.js";
import { isRetryable, type RetryRules, retryDelayMs } from "./retry-policy.js";
import { reportLimits, waitForTurn } from "./throttle/wait-for-turn.js";
import { type TimeLimit, timeLimit } from "./time-limit.js";
import type { TransportConfig } from "./transport-config.js";

/** The limits of one call: see the client's options of the same names. */
export type Limits = Pick<TransportConfig, "timeoutMs" | "deadlineMs" | "maxRetries" | "maxRetryDelayMs">;

export class Transport {
  readonly config: TransportConfig;

  constructor(config: TransportConfig) {
    this.config = config;
  }

  /** Sends `operation`. Every failure is a rejection, also an invalid argument. */
  send<T>(operation: Operation<T>, options: RequestOptions = {}): ApiPromise<T> {
    return new ApiPromise(this.call(operation, options));
  }

  /** Like `send`, but returns a plain promise of the data and the response. */
  call<T>(operation: Operation<T>, options: RequestOptions): Promise<ApiResponse<T>> {
    const { aroundCall } = this.config;
    if (aroundCall === undefined) return this.#call(operation, options);
    const { operation: name, method, path } = operation;
    const description = { operation: name, method, template: path.template };
    return aroundCall(description, () => this.#call(operation, options));
  }

  async #call<T>(operation: Operation<T>, options: RequestOptions): Promise<ApiResponse<T>> {
    const call = prepare(operation, options, this.config);
    const limits = this.limits(options);
    const deadline = timeLimit(options.signal, limits.deadlineMs, (ms) => timeoutError(call, "deadlineMs", ms));
    try {
      return (await this.#sendUntilDone(call, limits, deadline, options.signal)) as ApiResponse<T>;
    } catch (error) {
      call.streamBody?.close(error);
      throw withCallerStack(error);
    } finally {
      deadline.dispose();
    }
  }

  /**
   * The retry loop. Each round gets a token and makes one attempt. Then the loop returns the result, throws the error,
   * or waits and begins the next round.
   */
  async #sendUntilDone(
    call: PreparedCall,
    limits: Limits,
    deadline: TimeLimit,
    callerSignal: AbortSignal | undefined,
  ): Promise<ApiResponse<unknown>> {
    const { config } = this;
    // Without a deadline, only the caller's signal can end a call.
    const signal = limits.deadlineMs === undefined ? callerSignal : deadline.signal;
    const { timeoutMs, maxRetries } = limits;
    const rules = retryRules(call, limits);
    const token = this.#tokenOf(call, limits, signal);
    const secrets = new Set<string>();
    let attempts = 0;
    // The least certain outcome of all attempts so far.
    let outcome: Outcome = "not_sent";
    let retries = 0;
    try {
      for (;;) {
        throwIfAborted(signal);
        const current = await this.#tokenInTurn(call, token, deadline);
        secrets.add(current);
        attempts += 1;
        const result = await attempt({ call, config, attempt: attempts, token: current, timeoutMs, signal, secrets });
        await reportLimits(config.throttle, call.operation.operation, current, result);
        if (result.error === undefined) {
          const { data, response } = result;
          return { data, response, rateLimit: readRateLimit(response.headers) };
        }
        const { error } = result;
        outcome = leastCertain(outcome, error.outcome);
        throwIfAborted(signal);

        if (await token.renewAfter(error)) continue;
        const mayRetry = !call.operation.sentOnce && retries < maxRetries;
        const delayMs = mayRetry ? retryDelayMs(error, retries + 1, rules) : undefined;
        if (delayMs === undefined || delayMs >= deadline.remainingMs()) throw error;
        retries += 1;
        config.onRetry?.({ operation: call.operation.operation, attempt: attempts, delayMs, error });
        await pause(delayMs, signal);
      }
    } catch (error) {
      throw callerSignal?.aborted ? callerSignal.reason : withCallFacts(error, attempts, outcome, rules);
    }
  }

  /** Asks for a token in the async context of the caller, for an operation that is sent in another context. */
  async tokenFor(
    operation: Operation<unknown>,
    { signal, rejected }: { signal?: AbortSignal | undefined; rejected?: string | undefined },
  ): Promise<string> {
    const { token, timeoutMs } = this.config;
    return requestToken(token, prepare(operation, {}, this.config), { rejected, timeoutMs, signal });
  }

  /** After a 401, another token is tried once, if the call may be sent again. */
  #tokenOf(call: PreparedCall, { timeoutMs, maxRetries }: Limits, signal: AbortSignal | undefined): RenewableToken {
    const token = call.operation.token ?? this.config.token;
    const mayRenew = typeof token === "function" && maxRetries > 0 && call.streamBody?.repeatable !== false;
    const ask = (rejected: string | undefined) => requestToken(token, call, { rejected, timeoutMs, signal });
    return new RenewableToken(ask, mayRenew ? 1 : 0);
  }

  /** Waits until the throttle admits the next attempt, and resolves to the token of that attempt. */
  async #tokenInTurn(call: PreparedCall, token: RenewableToken, deadline: TimeLimit): Promise<string> {
    const { config } = this;
    const current = await token.next();
    if (config.throttle === undefined) return current;
    const request = {
      operation: call.operation.operation,
      token: current,
      signal: deadline.signal,
      remainingMs: deadline.remainingMs,
      createTimeoutError: () =>
        timeoutError(call, "deadlineMs, waiting for the throttle", deadline.remainingMs(), { outcome: "not_sent" }),
    };
    const waited = await waitForTurn(config.throttle, request, config);
    // The token may have expired during the wait.
    return waited ? token.next() : current;
  }

  /** The limits that apply to a call. */
  limits({ timeoutMs, deadlineMs, maxRetries }: RequestOptions): Limits {
    const { config } = this;
    return {
      timeoutMs: timeoutMs ?? config.timeoutMs,
      deadlineMs: deadlineMs ?? config.deadlineMs,
      maxRetries: maxRetries ?? config.maxRetries,
      maxRetryDelayMs: config.maxRetryDelayMs,
    };
  }

  /**
   * Fetches a URL on another host, which the service returned. The token, the client's headers and its middleware are
   * not used, because they may contain secrets. The response body is not read.
   */
  async fetchFromStorage(
    url: string,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<Response> {
    const fetch = this.config.fetch ?? globalThis.fetch;
    const response = await fetch(url, { method: "GET", headers: { ...headers }, signal, redirect: redirectMode() });
    return response as Response;
  }
}

function retryRules({ operation, streamBody }: PreparedCall, { maxRetryDelayMs }: Limits): RetryRules {
  return { retry: operation.retry, bodyRepeatable: streamBody?.repeatable ?? true, maxRetryDelayMs };
}

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw signal.reason;
}

/** From the most certain to the least. */
const OUTCOMES: readonly Outcome[] = ["not_sent", "rejected", "accepted", "unknown"];

/**
 * The outcome of a whole call. If one attempt may have had an effect, a later attempt that is refused does not change
 * that.
 */
const leastCertain = (before: Outcome, now: Outcome): Outcome =>
  OUTCOMES.indexOf(now) > OUTCOMES.indexOf(before) ? now : before;

/** Adds the facts about the whole call to its error. An error of the caller's own code stays unchanged. */
function withCallFacts(error: unknown, attempts: number, before: Outcome, rules: RetryRules): unknown {
  if (!(error instanceof NotetakerError)) return error;
  const outcome = attempts === 0 ? "not_sent" : leastCertain(before, error.outcome);
  // If nothing reached the service, the call may be sent again, whatever its retry class.
  const mayBeSent = rules.bodyRepeatable ? isTemporary(error) : error.retryable;
  const retryable = outcome === "not_sent" ? mayBeSent : isRetryable(error, rules);
  return addCallFacts(error, { attempts, outcome, retryable });
}
