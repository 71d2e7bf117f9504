/** A call in progress: what ky's hooks, the retry rule and the attempts of one call share. */
import type { ConnectionError } from "../errors/call-errors.js";
import type { Outcome } from "../errors/notetaker-error.js";
import { createRedactor } from "../redact/redactor.js";
import type { ApiResponse } from "./api-promise.js";
import { connectionErrorFrom, timeoutError } from "./connection-error-from.js";
import type { Operation } from "./operation.js";
import { type PreparedCall, prepare } from "./prepare.js";
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

export interface RunningCall extends PreparedCall {
  readonly config: TransportConfig;
  readonly limits: Limits;
  /** `deadlineMs`, and the caller's signal. */
  readonly deadline: TimeLimit;
  /** Aborts when the caller cancels the call or its deadline has passed; `undefined` if neither can happen. */
  readonly signal: AbortSignal | undefined;
  /** All secrets that were sent with the call, whoever set them. None of them may appear in its errors. */
  readonly secrets: Set<string>;
  /** The token of the current attempt. */
  token: string;
  /** The token of the next attempt, which the token function returned after a 401. */
  renewedToken: string | undefined;
  /** How often the token may still be renewed. */
  remainingRenewals: number;
  /** The current attempt; `undefined` while the hooks run before it. */
  attempt: Attempt | undefined;
  /** How many attempts have begun. */
  attempts: number;
  /** How many retries have begun. A renewed token does not count. */
  retries: number;
  /** The wait before the next attempt, in milliseconds. */
  delayMs: number;
  /** The least certain outcome of all attempts so far. */
  outcome: Outcome;
  /** The result of the last attempt. */
  result: ApiResponse<unknown> | undefined;
}

/** The limits that apply to a call. */
export const limitsOf = (config: TransportConfig, { timeoutMs, deadlineMs, maxRetries }: RequestOptions): Limits => ({
  timeoutMs: timeoutMs ?? config.timeoutMs,
  deadlineMs: deadlineMs ?? config.deadlineMs,
  maxRetries: maxRetries ?? config.maxRetries,
  maxRetryDelayMs: config.maxRetryDelayMs,
});

/** @throws {InvalidArgumentError} one error with all issues of the arguments */
export function beginCall(
  operation: Operation<unknown>,
  options: RequestOptions,
  config: TransportConfig,
): RunningCall {
  const prepared = prepare(operation, options, config);
  const limits = limitsOf(config, options);
  const deadline = timeLimit(options.signal, limits.deadlineMs, (ms) => timeoutError(prepared, "deadlineMs", ms));
  const canBeAborted = options.signal !== undefined || limits.deadlineMs !== undefined;
  return Object.assign(prepared, {
    config,
    limits,
    deadline,
    signal: canBeAborted ? deadline.signal : undefined,
    secrets: new Set<string>(),
    token: "",
    renewedToken: undefined,
    remainingRenewals: mayRenewToken(prepared, limits, config) ? 1 : 0,
    attempt: undefined,
    attempts: 0,
    retries: 0,
    delayMs: 0,
    outcome: "not_sent" as const,
    result: undefined,
  });
}

/** After a 401, a token function is asked for another token, if the request may be sent again. */
const mayRenewToken = ({ operation, streamBody }: PreparedCall, { maxRetries }: Limits, { token }: TransportConfig) =>
  typeof (operation.token ?? token) === "function" && maxRetries > 0 && streamBody?.repeatable !== false;

/** Makes the error for three cases: `fetch` threw `cause`, `fetch` returned no response, or the body broke off. */
export const connectionError = (call: RunningCall, cause: unknown): ConnectionError =>
  connectionErrorFrom(createRedactor(call.secrets).cause(cause), call);
