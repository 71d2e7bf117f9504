/** The one way from a resource method to the wire and back. */
import { pause } from "../async/pause.js";
import { addCallFacts, NotetakerError, type Outcome } from "../errors/notetaker-error.js";
import { UnauthorizedError } from "../errors/unauthorized-error.js";
import { readRateLimit } from "../schemas/rate-limit.js";
import type { DocumentTitles } from "../unshown.js";
import { ApiPromise, type ApiResponse } from "./api-promise.js";
import { type AttemptContext, type AttemptResult, attempt } from "./attempt.js";
import { CallSecrets } from "./call-secrets.js";
import { CallTokens } from "./call-tokens.js";
import { type Cancellation, cancellation } from "./cancellation.js";
import { timeoutError } from "./connection-error-from.js";
import type { Operation } from "./operation.js";
import { type PreparedCall, prepare } from "./prepare.js";
import { redirectMode } from "./redirect-mode.js";
import type { RequestOptions } from "./request-options.js";
import { requestToken, type TokenRequest } from "./request-token.js";
import { isRetryable, type RetryRules, retryDelayMs } from "./retry-policy.js";
import { reportLimits, waitForTurn } from "./throttle/wait-for-turn.js";
import type { TransportConfig } from "./transport-config.js";

/** See the options of the same names. */
export type Limits = Pick<TransportConfig, "timeoutMs" | "deadlineMs" | "maxRetries" | "maxRetryDelayMs">;

/** What is known of a call so far. */
interface CallHistory {
  readonly attempts: number;
  /** The least certain outcome of the attempts. */
  readonly outcome: Outcome;
}

export class Transport {
  readonly #config: TransportConfig;

  constructor(config: TransportConfig) {
    this.#config = config;
  }

  /** Where the service is, without a trailing slash. */
  get baseUrl(): string {
    return this.#config.baseUrl;
  }

  /** Further hosts of join links. */
  get conferenceHosts(): readonly string[] {
    return this.#config.conferenceHosts;
  }

  /** What the titles of documents contain. */
  get documentTitles(): DocumentTitles {
    return this.#config.documentTitles;
  }

  /** Sends `operation`. Everything that goes wrong, a bad argument included, is a rejection. */
  send<T>(operation: Operation<T>, options: RequestOptions = {}): ApiPromise<T> {
    return new ApiPromise(this.call(operation, options));
  }

  /** Like `send`, but returns a plain promise of the data and the response. */
  async call<T>(operation: Operation<T>, options: RequestOptions): Promise<ApiResponse<T>> {
    const { aroundCall } = this.#config;
    if (aroundCall === undefined) return await this.#call(operation, options);
    const { operation: name, method, path } = operation;
    const description = { operation: name, method, template: path.template };
    return await aroundCall(description, () => this.#call(operation, options));
  }

  async #call<T>(operation: Operation<T>, options: RequestOptions): Promise<ApiResponse<T>> {
    const call = prepare(operation, options, this.#config);
    const limits = this.limits(options);
    const ends = cancellation(options.signal, limits.deadlineMs, (deadlineMs) =>
      timeoutError(call.request, call.path, "deadlineMs", deadlineMs),
    );
    try {
      return (await this.#sendUntilDone(call, limits, ends)) as ApiResponse<T>;
    } catch (error) {
      call.streamBody?.close(error);
      throw error;
    } finally {
      ends.dispose();
    }
  }

  /** The retry loop: a token, an attempt, then a result, an error, or a wait and the same again. */
  async #sendUntilDone(call: PreparedCall, limits: Limits, ends: Cancellation): Promise<ApiResponse<unknown>> {
    const config = this.#config;
    const rules = retryRules(call, limits);
    const tokens = this.#tokensOf(call, limits, ends.signal, rules.bodyRepeatable);
    const secrets = new CallSecrets();
    let history: CallHistory = { attempts: 0, outcome: "not_sent" };
    let retries = 0;
    try {
      for (;;) {
        throwIfAborted(ends.signal);
        const token = await this.#tokenInTurn(call, tokens, ends);
        secrets.add(token);
        const attemptNumber = history.attempts + 1;
        history = { ...history, attempts: attemptNumber };
        const { timeoutMs } = limits;
        const context = { config, attempt: attemptNumber, token, timeoutMs, signal: ends.signal, secrets };
        const result = await this.#attempt(call, context);
        if (result.succeeded) {
          const { data, response } = result;
          return { data, response, rateLimit: readRateLimit(response.headers) };
        }
        const { error } = result;
        history = { attempts: attemptNumber, outcome: leastCertain(history.outcome, error.outcome) };
        throwIfAborted(ends.signal);

        if (error instanceof UnauthorizedError && (await tokens.renew(token))) continue;
        const mayRetry = !call.operation.sentOnce && retries < limits.maxRetries;
        const delayMs = mayRetry ? retryDelayMs(error, retries + 1, rules) : undefined;
        if (delayMs === undefined || delayMs >= ends.remainingMs()) throw error;
        retries += 1;
        config.onRetry?.({ operation: call.operation.operation, attempt: attemptNumber, delayMs, error });
        await pause(delayMs, ends.signal);
      }
    } catch (error) {
      const { callerSignal } = ends;
      throw callerSignal?.aborted === true ? callerSignal.reason : withCallFacts(error, history, rules);
    }
  }

  /** Whether each call asks a function for its token, in its own async context. */
  get asksForToken(): boolean {
    return typeof this.#config.token === "function";
  }

  /** Asks for a token in the async context of the caller, for an operation that is sent in another one. */
  async tokenFor(
    operation: Operation<unknown>,
    { signal, rejected }: { signal?: AbortSignal | undefined; rejected?: string | undefined },
  ): Promise<string> {
    const call = prepare(operation, {}, this.#config);
    return requestToken(this.#config.token, { ...tokenRequest(call, this.limits({}), signal), rejected });
  }

  #tokensOf(call: PreparedCall, limits: Limits, signal: AbortSignal | undefined, bodyRepeatable: boolean): CallTokens {
    const token = call.operation.token ?? this.#config.token;
    return new CallTokens(token, tokenRequest(call, limits, signal), limits.maxRetries > 0 && bodyRepeatable);
  }

  /** The token of the next attempt, which may go now. */
  async #tokenInTurn(call: PreparedCall, tokens: CallTokens, { signal, remainingMs }: Cancellation): Promise<string> {
    const config = this.#config;
    const token = await tokens.next();
    if (config.throttle === undefined) return token;
    const { operation } = call.operation;
    const createTimeoutError = () => {
      const error = timeoutError(call.request, call.path, "deadlineMs, waiting for the throttle", remainingMs());
      return addCallFacts(error, { outcome: "not_sent" });
    };
    const request = { operation, token, signal, remainingMs, createTimeoutError };
    const waited = await waitForTurn(config.throttle, request, config);
    // A wait may outlast a token.
    return waited ? tokens.next() : token;
  }

  async #attempt(call: PreparedCall, context: AttemptContext): Promise<AttemptResult> {
    const result = await attempt(call, context);
    const { throttle } = this.#config;
    if (throttle === undefined) return result;
    const error = result.succeeded ? undefined : result.error;
    await reportLimits(throttle, { operation: call.operation.operation, token: context.token }, result.response, error);
    return result;
  }

  /** The limits in force for a call. */
  limits({ timeoutMs, deadlineMs, maxRetries }: RequestOptions): Limits {
    const config = this.#config;
    return {
      timeoutMs: timeoutMs ?? config.timeoutMs,
      deadlineMs: deadlineMs ?? config.deadlineMs,
      maxRetries: maxRetries ?? config.maxRetries,
      maxRetryDelayMs: config.maxRetryDelayMs,
    };
  }

  /**
   * Fetches a URL that the service returned, on another host: without the token, and without the client's headers and
   * middleware, which may hold secrets of their own. The response body is not read.
   */
  async fetchFromStorage(
    url: string,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<Response> {
    const fetch = this.#config.fetch ?? globalThis.fetch;
    const response = await fetch(url, { method: "GET", headers: { ...headers }, signal, redirect: redirectMode() });
    return response as Response;
  }
}

function tokenRequest(
  { operation, request, path }: PreparedCall,
  { timeoutMs }: Limits,
  signal: AbortSignal | undefined,
): Omit<TokenRequest, "rejected"> {
  const createTimeoutError = () => {
    const error = timeoutError(request, path, "timeoutMs of the token function", timeoutMs);
    return addCallFacts(error, { outcome: "not_sent" });
  };
  return { operation: operation.operation, timeoutMs, signal, createTimeoutError };
}

function retryRules({ operation, streamBody }: PreparedCall, { maxRetryDelayMs }: Limits): RetryRules {
  return { retry: operation.retry, bodyRepeatable: streamBody?.repeatable ?? true, maxRetryDelayMs };
}

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw signal.reason;
}

/** From the most certain to the least. */
const OUTCOME_RANK: Readonly<Record<Outcome, number>> = { not_sent: 0, rejected: 1, accepted: 2, unknown: 3 };

/** A later attempt that is refused does not undo an earlier one that may have acted. */
const leastCertain = (before: Outcome, now: Outcome): Outcome =>
  OUTCOME_RANK[now] > OUTCOME_RANK[before] ? now : before;

/** Writes what is known of the whole call into its error. What the caller's own code threw stays as it is. */
function withCallFacts(error: unknown, { attempts, outcome }: CallHistory, rules: RetryRules): unknown {
  if (!(error instanceof NotetakerError)) return error;
  const finalOutcome = attempts === 0 ? "not_sent" : leastCertain(outcome, error.outcome);
  // What never reached the service may be sent again, whatever it is.
  const retryable = finalOutcome === "not_sent" ? error.retryable : isRetryable(error, rules);
  return addCallFacts(error, { attempts, outcome: finalOutcome, retryable });
}
