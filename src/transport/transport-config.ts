import type { DocumentTitles, WireNames } from "../assumptions.js";
import type { Fetch } from "./fetch.js";
import type { Logger } from "./logger.js";
import type { Middleware } from "./middleware.js";
import type { RetryReport } from "./retry-policy.js";
import type { Throttle, ThrottleReport } from "./throttle/throttle.js";
import type { Token } from "./token.js";

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
