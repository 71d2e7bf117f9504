import type { Fetch, Logger, Middleware, RetryReport, Token, ValidationMode } from "../options.js";
import type { WireNames } from "../unshown.js";

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
  readonly onRetry: ((report: RetryReport) => void) | undefined;
  readonly validation: ValidationMode;
  /** The names of the query parameters that the interface does not show. */
  readonly names: WireNames;
}
