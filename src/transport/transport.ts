import { throwIfAborted } from "../async/abort.js";
import { TimeLimit } from "../async/time-limit.js";
import { ConfigurationError } from "../errors/argument-errors.js";
import { TimeoutError } from "../errors/call-errors.js";
import { withCallerStack } from "../errors/caller-stack.js";
import { ApiPromise, type ApiResponse } from "./api-promise.js";
import { requestToken } from "./call-token.js";
import { CheckedCall } from "./checked-call.js";
import { type Ky, loadKy } from "./load-ky.js";
import type { Operation } from "./operation.js";
import { NO_OPTIONS, type RequestOptions } from "./request-options.js";
import { runCall } from "./run-call.js";
import type { TransportConfig } from "./transport-config.js";

export class Transport {
  readonly config: TransportConfig;
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
    const call = new CheckedCall(operation, options, this.config);
    try {
      throwIfAborted(call.options.signal);
      checkGlobals(this.config);
      return (await runCall(call, () => this.#ky ?? this.#createKy())) as ApiResponse<T>;
    } catch (error) {
      call.streamBody?.release(error);
      throw withCallerStack(error);
    }
  }

  /** Made at the first call. It throws what an attempt throws: no errors of its own for statuses and timeouts. */
  async #createKy(): Promise<Ky> {
    const ky = await loadKy();
    this.#ky ??= ky.create({ throwHttpErrors: false, timeout: false });
    return this.#ky;
  }

  /** Asks for the client's token in the async context of the caller, for an operation that is sent in another context. */
  async token(
    operation: string,
    { signal, rejected }: { signal: AbortSignal; rejected: string | undefined },
  ): Promise<string> {
    const { token, timeoutMs } = this.config;
    const limit = new TimeLimit(signal, timeoutMs, (ms) => {
      const message = `${operation}: the token function timed out after ${ms} ms (timeoutMs)`;
      return new TimeoutError({ message, timeoutMs: ms, outcome: "not_sent", retryable: true });
    });
    try {
      return await requestToken(operation, token, rejected, limit.signal);
    } finally {
      limit.dispose();
    }
  }
}

/** Old test environments lack them. */
const NEEDED_GLOBALS = ["Request", "Response", "Headers", "TextEncoder"] as const;

function checkGlobals({ fetch }: TransportConfig): void {
  const needed = fetch === undefined ? (["fetch", ...NEEDED_GLOBALS] as const) : NEEDED_GLOBALS;
  const missing = needed.filter((name) => typeof globalThis[name] === "undefined");
  if (missing.length === 0) return;
  throw new ConfigurationError({
    message:
      `This runtime has no ${missing.join(", ")}. Use Node 20 or later, a current browser or an edge runtime. In a ` +
      "test environment such as jsdom, set the missing globals, or use the environment node (docs/runtimes.md).",
  });
}
