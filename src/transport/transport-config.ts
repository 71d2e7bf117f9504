/** The configuration of a client, and the types of its options that calls use. */
import type { DocumentTitles, WireNames } from "../assumptions.js";
import type { Throttle, ThrottleReport } from "../throttle/throttle.js";
import type { Fetch } from "./fetch.js";
import type { Logger } from "./logger.js";
import type { RetryReport } from "./retry-policy.js";

/** The argument of a token function. */
export interface TokenContext {
  /**
   * The token that the service has just refused with a 401; `undefined` if this call of the function does not follow a
   * 401.
   */
  readonly rejected: string | undefined;
}

/**
 * The access token, or a function that returns it. Each call runs the function before each attempt, in the async
 * context of that call. After a 401, the function is called once more, with the refused token in `rejected`. If it
 * returns another token, the request is sent again, at most once per call.
 */
export type Token = string | ((context: TokenContext) => string | Promise<string>);

/** The third argument of a middleware: facts about the attempt. */
export interface MiddlewareContext {
  /** The method of this library, for example `rooms.list`. */
  readonly operation: string;
  /** The number of the attempt within its call, starting at 1. */
  readonly attempt: number;
  /** Aborts when the call is cancelled, or when `timeoutMs` or `deadlineMs` has passed. */
  readonly signal: AbortSignal;
}

/** Wraps one attempt: call `next` to send the request, and return its response or your own. */
export type Middleware = (
  request: Request,
  next: (request: Request) => Promise<Response>,
  context: MiddlewareContext,
) => Promise<Response>;

/**
 * What happens to a successful response that does not match its schema: `strict` throws `ResponseValidationError`,
 * `warn` logs the issues and returns the data as received, and `off` skips the check.
 */
export type ValidationMode = "strict" | "warn" | "off";

/** A call as a whole, for code that observes calls. */
export interface CallDescription {
  /** The method of this library, for example `rooms.list`. */
  readonly operation: string;
  readonly method: string;
  /** The path with the names of its ids, for example `/meetings/{meetingId}/transcript`. */
  readonly template: string | undefined;
}

/** Wraps a whole call, with all its attempts and waits. `run` makes the call. */
export type AroundCall = <T>(call: CallDescription, run: () => Promise<T>) => Promise<T>;

/** The configuration of a client. All values are checked, and all defaults are filled in. */
export interface TransportConfig {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly token: Token;
  /** Where the token was set, for the message of a 401. */
  readonly tokenSource: string;
  readonly timeoutMs: number;
  readonly deadlineMs: number | undefined;
  readonly maxRetries: number;
  readonly maxRetryDelayMs: number;
  readonly maxResponseBytes: number;
  readonly fetch: Fetch | undefined;
  readonly fetchOptions: Readonly<Record<string, unknown>>;
  /** Every header of the client, by its lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly logger: Logger | undefined;
  readonly middleware: readonly Middleware[];
  readonly throttle: Throttle | undefined;
  readonly onThrottle: ((report: ThrottleReport) => void) | undefined;
  readonly onRetry: ((report: RetryReport) => void) | undefined;
  /** Further hosts of join links. */
  readonly conferenceHosts: readonly string[];
  readonly validation: ValidationMode;
  readonly aroundCall: AroundCall | undefined;
  /** The names of the query parameters that the API specification does not show. */
  readonly names: WireNames;
  /** The texts by which `documents.find` recognises titles, which the API specification does not show. */
  readonly documentTitles: DocumentTitles;
}
