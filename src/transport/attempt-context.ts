import type { ConnectionError } from "../errors/call-errors.js";
import type { PreparedCall } from "./prepare.js";
import type { TimeLimit } from "./time-limit.js";
import type { TransportConfig } from "./transport-config.js";

/** The inputs of one attempt. */
export interface AttemptContext {
  readonly call: PreparedCall;
  readonly config: TransportConfig;
  /** The number of the attempt, starting at 1. */
  readonly attempt: number;
  readonly token: string;
  readonly timeoutMs: number;
  /** Aborts when the caller cancels the call or its deadline has passed; `undefined` if neither can happen. */
  readonly signal: AbortSignal | undefined;
  /** All secrets that were sent with the call, whoever set them. None of them may appear in its errors. */
  readonly secrets: Set<string>;
}

/** An attempt in progress, from the request to the end of its response. */
export interface RunningAttempt extends AttemptContext {
  /** The time limit of the attempt. Its signal also aborts when the signal of the call does. */
  readonly limit: TimeLimit;
  /**
   * Makes the error for three cases: `fetch` threw `cause`, `fetch` did not return a response, or the body broke off.
   */
  toConnectionError(cause: unknown): ConnectionError;
}
