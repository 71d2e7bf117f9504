/** A call in progress: what ky's hooks, the retry rule and the attempts of one call share. */
import type { ConnectionError } from "../errors/call-errors.js";
import type { Outcome } from "../errors/notetaker-error.js";
import { createRedactor } from "../redact/redactor.js";
import type { ApiResponse } from "./api-promise.js";
import { connectionErrorFrom, timeoutError } from "./connection-error-from.js";
import type { Operation } from "./operation.js";
import { PreparedCall } from "./prepare.js";
import type { RequestOptions } from "./request-options.js";
import { type TimeLimit, timeLimit } from "./time-limit.js";
import type { TransportConfig } from "./transport-config.js";

/** The limits of one call: see the client's options of the same names. */
export type Limits = Pick<TransportConfig, "timeoutMs" | "deadlineMs" | "maxRetries" | "maxRetryDelayMs">;

/** An attempt in progress. */
export interface Attempt {
  /** Aborts the attempt. For an upload, its timer limits the time without progress. */
  readonly limit: TimeLimit;
  /** Settles soon after `limit` has aborted, whatever `fetch` does. */
  readonly done: Promise<Response>;
  isDone: boolean;
  /** ky's error for the timeout of this attempt, and the error that takes its place. */
  timeout?: { readonly kyError: unknown; readonly error: unknown };
}

/** The limits that apply to a call. */
export const limitsOf = (config: TransportConfig, { timeoutMs, deadlineMs, maxRetries }: RequestOptions): Limits => ({
  timeoutMs: timeoutMs ?? config.timeoutMs,
  deadlineMs: deadlineMs ?? config.deadlineMs,
  maxRetries: maxRetries ?? config.maxRetries,
  maxRetryDelayMs: config.maxRetryDelayMs,
});

export class RunningCall extends PreparedCall {
  readonly config: TransportConfig;
  readonly limits: Limits;
  /** `deadlineMs`, and the caller's signal. */
  readonly deadline: TimeLimit;
  /** Aborts when the caller cancels the call or its deadline has passed; `undefined` if neither can happen. */
  readonly signal: AbortSignal | undefined;
  /** All secrets that were sent with the call, whoever set them. None of them may appear in its errors. */
  readonly secrets = new Set<string>();
  /** The token of the current attempt. */
  token = "";
  /** The token of the next attempt, which the token function returned after a 401. */
  renewedToken: string | undefined;
  /** How often the token may still be renewed. */
  remainingRenewals: number;
  /** The current attempt; `undefined` while the hooks run before it. */
  attempt: Attempt | undefined;
  /** How many attempts have begun. */
  attempts = 0;
  /** How many retries have begun. A renewed token does not count. */
  retries = 0;
  /** The wait before the next attempt, in milliseconds. */
  delayMs = 0;
  /** The least certain outcome of all attempts so far. */
  outcome: Outcome = "not_sent";
  /** The result of the last attempt. */
  result: ApiResponse<unknown> | undefined;

  /** @throws {InvalidArgumentError} {@link InvalidArgumentError} one error with all issues of the arguments */
  constructor(operation: Operation<unknown>, options: RequestOptions, config: TransportConfig) {
    super(operation, options, config);
    this.config = config;
    this.limits = limitsOf(config, options);
    const { deadlineMs } = this.limits;
    this.deadline = timeLimit(options.signal, deadlineMs, (ms) => timeoutError(this, "deadlineMs", ms));
    this.signal = options.signal === undefined && deadlineMs === undefined ? undefined : this.deadline.signal;
    this.remainingRenewals = this.#mayRenewToken() ? 1 : 0;
  }

  /** After a 401, a token function is asked for another token, if the request may be sent again. */
  #mayRenewToken(): boolean {
    const token = this.operation.token ?? this.config.token;
    return typeof token === "function" && this.limits.maxRetries > 0 && this.streamBody?.repeatable !== false;
  }
}

/** Makes the error for three cases: `fetch` threw `cause`, `fetch` returned no response, or the body broke off. */
export const connectionError = (call: RunningCall, cause: unknown): ConnectionError =>
  connectionErrorFrom(createRedactor(call.secrets).cause(cause), call);
