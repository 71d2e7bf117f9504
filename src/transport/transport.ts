/** Sends every call of a resource method with ky: in one or more attempts, until its result or error. */

import type { BeforeRequestHook } from "ky";
import { ConfigurationError } from "../errors/argument-errors.js";
import { isTemporary } from "../errors/is-temporary.js";
import { addCallFacts, NotetakerError } from "../errors/notetaker-error.js";
import { ApiPromise, type ApiResponse } from "./api-promise.js";
import { attempt, leastCertain } from "./attempt.js";
import { authorise, requestToken } from "./authorise.js";
import { retryOptions, retryRules } from "./backoff.js";
import { withCallerStack } from "./caller-stack.js";
import { type Ky, loadKy } from "./load-ky.js";
import type { Operation } from "./operation.js";
import { NO_OPTIONS, type RequestOptions } from "./request-options.js";
import { isRetryable } from "./retry-policy.js";
import { RunningCall } from "./running-call.js";
import { waitForThrottle } from "./throttle-hook.js";
import type { TransportConfig } from "./transport-config.js";

export class Transport {
  readonly config: TransportConfig;
  /** Made at the first call. */
  #ky: Ky | undefined;

  constructor(config: TransportConfig) {
    this.config = config;
  }

  /** Sends `operation`. Every failure is a rejection, also an invalid argument. */
  send<T = void>(operation: Operation<T>, options: RequestOptions = NO_OPTIONS): ApiPromise<T> {
    return new ApiPromise(this.call(operation, options));
  }

  /** Like `send`, but returns a plain promise of the data and the response. */
  call<T = void>(operation: Operation<T>, options: RequestOptions): Promise<ApiResponse<T>> {
    const { aroundCall } = this.config;
    if (aroundCall === undefined) return this.#call(operation, options);
    const { name, method, path, literalPath } = operation;
    const description = { operation: name, method, template: literalPath === undefined ? path : undefined };
    return aroundCall(description, () => this.#call(operation, options));
  }

  async #call<T>(operation: Operation<T>, options: RequestOptions): Promise<ApiResponse<T>> {
    const call = new RunningCall(operation, options, this.config);
    try {
      if (call.signal?.aborted) throw call.signal.reason;
      this.#ky ??= await createKy(this.config);
      await this.#ky(call.url, {
        method: operation.method,
        // An upload limits the time without progress by itself.
        timeout: call.streamBody === undefined ? call.limits.timeoutMs : false,
        ...(call.signal ? { signal: call.signal } : {}),
        retry: retryOptions(call),
        context: { call },
        fetch: (request) => attempt(request as Request, call),
      });
      return call.result as ApiResponse<T>;
    } catch (error) {
      const failure = options.signal?.aborted ? options.signal.reason : withCallFacts(error, call);
      call.streamBody?.release(failure);
      throw withCallerStack(failure);
    } finally {
      call.deadline.dispose();
    }
  }

  /** Asks for a token in the async context of the caller, for an operation that is sent in another context. */
  async tokenFor(
    operation: Operation<unknown>,
    { signal, rejected }: { signal?: AbortSignal | undefined; rejected?: string | undefined },
  ): Promise<string> {
    const call = new RunningCall(operation, { signal }, this.config);
    try {
      return await requestToken(call, rejected);
    } finally {
      call.deadline.dispose();
    }
  }
}

/** Globals that ky and this library use. Old test environments lack them. */
const NEEDED_GLOBALS = ["Request", "Response", "Headers", "TextEncoder"] as const;

/** The instance of ky of one client. ky runs the hooks in this order before each attempt. */
async function createKy({ fetch, throttle }: TransportConfig): Promise<Ky> {
  const needed = fetch === undefined ? (["fetch", ...NEEDED_GLOBALS] as const) : NEEDED_GLOBALS;
  const missing = needed.filter((name) => typeof globalThis[name] === "undefined");
  if (missing.length > 0) {
    throw new ConfigurationError(
      `This runtime has no ${missing.join(", ")}. Use Node 20 or later, a current browser or an edge runtime. In a ` +
        "test environment such as jsdom, set the missing globals, or use the environment node (docs/runtimes.md).",
    );
  }
  const ky = await loadKy();
  const callOf = (context: Record<string, unknown>) => context.call as RunningCall;
  const beforeRequest: BeforeRequestHook[] = [(request, { context }) => authorise(request, callOf(context))];
  if (throttle !== undefined) {
    beforeRequest.push((request, { context }) => waitForThrottle(throttle, request, callOf(context)));
  }
  return ky.create({ hooks: { beforeRequest } });
}

/** Adds the facts about the whole call to its error. An error of the caller's own code stays unchanged. */
function withCallFacts(error: unknown, call: RunningCall): unknown {
  if (!(error instanceof NotetakerError)) return error;
  const { attempts } = call;
  const outcome = attempts === 0 ? "not_sent" : leastCertain(call.outcome, error.outcome);
  const rules = retryRules(call);
  // If nothing reached the service, the call may be sent again, whatever its retry class.
  const mayBeSent = rules.bodyRepeatable ? isTemporary(error) : error.retryable;
  const retryable = outcome === "not_sent" ? mayBeSent : isRetryable(error, rules);
  return addCallFacts(error, { attempts, outcome, retryable });
}
