import type { Fetch, Logger, Middleware, RetryReport, ThrottleReport, Token, ValidationMode } from "../options.js";
import type { WireNames } from "../unshown.js";
import type { Throttle } from "./throttle/throttle.js";

/** The configuration of a client: every value checked, every default filled in. */
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
  readonly validation: ValidationMode;
  /** The names of the query parameters that the interface does not show. */
  readonly names: WireNames;
}
