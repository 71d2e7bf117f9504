import type { ConnectionError } from "../errors/connection-error.js";
import type { PreparedCall } from "./prepare.js";
import type { TimeLimit } from "./time-limit.js";
import type { TransportConfig } from "./transport-config.js";

/** What an attempt is made with. */
export interface AttemptContext {
  readonly call: PreparedCall;
  readonly config: TransportConfig;
  /** 1 for the first. */
  readonly attempt: number;
  readonly token: string;
  readonly timeoutMs: number;
  /** Aborts when the whole call is over; `undefined` if nothing can end it. */
  readonly signal: AbortSignal | undefined;
  /** All secrets that were sent with the call, whoever set them. None of them may appear in its errors. */
  readonly secrets: Set<string>;
}

/** An attempt under way, from the request to the end of its response. */
export interface RunningAttempt extends AttemptContext {
  /** Its signal aborts when the attempt is over. */
  readonly limit: TimeLimit;
  /** The error for what `fetch` threw, for what it returned instead of a response, and for a body that breaks off. */
  toConnectionError(cause: unknown): ConnectionError;
}
