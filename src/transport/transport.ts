/** The one way from a resource method to the wire and back. */
import ky, { type KyInstance, type Options as KyOptions, TimeoutError as KyTimeoutError } from "ky";
import { abortable } from "../async/abortable.js";
import { InvalidArgumentError } from "../errors/invalid-argument-error.js";
import { addCallFacts, NotetakerError, type Outcome } from "../errors/notetaker-error.js";
import type { RequestOptions } from "../options.js";
import { readRateLimit } from "../schemas/rate-limit.js";
import { ApiPromise, type ApiResponse } from "./api-promise.js";
import { attempt, type CallState } from "./attempt.js";
import { cancellation } from "./cancellation.js";
import type { TransportConfig } from "./config.js";
import { timeoutError } from "./failure.js";
import { tokenProblem } from "./headers.js";
import type { Operation } from "./operation.js";
import { prepare } from "./prepare.js";
import { isRetryable, type RetryRules, retryDelayMs } from "./retry-policy.js";
import { stallGuard } from "./stall-guard.js";

/** See the options of the same names. */
export type Limits = Pick<TransportConfig, "timeoutMs" | "deadlineMs" | "maxRetries" | "maxRetryDelayMs">;

export class Transport {
  readonly #config: TransportConfig;
  #instance: KyInstance | undefined;

  constructor(config: TransportConfig) {
    this.#config = config;
  }

  /** Where the service is, without a trailing slash. */
  get baseUrl(): string {
    return this.#config.baseUrl;
  }

  /** Sends `operation`. Everything that goes wrong, a bad argument included, is a rejection. */
  send<T>(operation: Operation<T>, options: RequestOptions = {}): ApiPromise<T> {
    return new ApiPromise(this.call(operation, options));
  }

  /** As `send`, as a plain promise of the data and the answer. */
  async call<T>(operation: Operation<T>, options: RequestOptions): Promise<ApiResponse<T>> {
    const config = this.#config;
    const call = prepare(operation, options, config);
    const { timeoutMs, deadlineMs, maxRetries, maxRetryDelayMs } = this.limits(options);
    const state: CallState = { attempts: 0, outcome: "not_sent", token: undefined, data: undefined };
    const rules: RetryRules = {
      retry: operation.retry,
      bodyRepeatable: call.body?.repeatable ?? true,
      maxRetryDelayMs,
    };
    const timedOut = (limit: string, ms: number) =>
      timeoutError({ method: operation.method, url: call.url }, call.path, limit, ms);
    const translated = (error: unknown) => (error instanceof KyTimeoutError ? timedOut("timeoutMs", timeoutMs) : error);
    const { signal, remainingMs, dispose } = cancellation(options.signal, deadlineMs, timedOut);

    const authorize = async (request: Request) => {
      state.token = await this.#token(operation.operation);
      request.headers.set("authorization", `Bearer ${state.token}`);
    };
    let delayMs = 0;
    const kyOptions: KyOptions = {
      method: operation.method,
      headers: call.headers,
      timeout: operation.raw ? false : timeoutMs,
      retry: {
        limit: maxRetries,
        methods: [operation.method.toLowerCase() as "get"],
        shouldRetry({ error, retryCount }) {
          const failure = translated(error);
          state.outcome = leastCertain(state.outcome, failure);
          const wait = retryDelayMs(failure, retryCount, rules);
          if (wait === undefined || wait >= remainingMs()) return false;
          delayMs = wait;
          return true;
        },
        delay: () => delayMs,
      },
      hooks: { beforeRequest: [authorize] },
      fetch: async (given) => {
        const request = given as Request;
        const guard = operation.raw && stallGuard(request.signal, timeoutMs, timedOut);
        return attempt(request, call, config, state, guard);
      },
      signal: signal ?? null,
    };

    try {
      options.signal?.throwIfAborted();
      const response = await abortable(Promise.resolve(this.#ky(call.url, kyOptions)), signal);
      return { data: state.data as T, response, rateLimit: readRateLimit(response.headers) };
    } catch (thrown) {
      call.body?.close?.(thrown);
      if (options.signal?.aborted === true) throw options.signal.reason;
      const error = signal?.aborted === true ? signal.reason : translated(thrown);
      if (!(error instanceof NotetakerError)) throw error;
      const outcome = state.attempts === 0 ? "not_sent" : leastCertain(state.outcome, error);
      // What never reached the service may be sent again, whatever it is.
      const retryable = outcome === "not_sent" ? error.retryable : isRetryable(error, rules);
      throw addCallFacts(error, { attempts: state.attempts, outcome, retryable });
    } finally {
      dispose();
    }
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
   * A GET of an address that the service gave, outside of it: without the token, and without the client's headers and
   * middleware, which may hold secrets of their own. The answer's body is not read.
   */
  async getElsewhere(url: string, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Response> {
    return (this.#config.fetch ?? globalThis.fetch)(new Request(url, { headers, signal, redirect: redirectMode() }));
  }

  /** Made at the first call: constructing a client must do nothing that an edge worker forbids at module level. */
  get #ky(): KyInstance {
    this.#instance ??= ky.create({ throwHttpErrors: false, redirect: redirectMode() });
    return this.#instance;
  }

  async #token(operation: string): Promise<string> {
    const { token } = this.#config;
    const value = typeof token === "function" ? await token() : token;
    const problem = tokenProblem(value);
    if (problem !== undefined) throw new InvalidArgumentError(operation, [{ path: "token", message: problem }]);
    return value;
  }
}

/** From the most certain to the least. */
const CERTAINTY = "not_sent rejected accepted unknown";

/** A later attempt that is refused does not undo an earlier one that may have acted. */
function leastCertain(before: Outcome, error: unknown): Outcome {
  const now = error instanceof NotetakerError ? error.outcome : "unknown";
  return CERTAINTY.indexOf(now) > CERTAINTY.indexOf(before) ? now : before;
}

/**
 * Redirects are refused: one would carry the token elsewhere (and for its sake `fetch` in Node keeps a whole upload
 * in memory). Workers have no `error` mode; there the redirect comes back as an answer, and is refused as one.
 */
function redirectMode(): RequestRedirect {
  try {
    return new Request("https://probe.invalid", { redirect: "error" }).redirect;
  } catch {
    return "manual";
  }
}
