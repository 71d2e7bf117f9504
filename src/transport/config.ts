import type { Logger, Middleware, Token, ValidationMode } from "../options.js";
import type { WireNames } from "../unshown.js";

/** What a client is configured with: each value checked, each default in its place. */
export interface TransportConfig {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly token: Token;
  readonly timeoutMs: number;
  readonly deadlineMs: number | undefined;
  readonly maxRetries: number;
  readonly maxRetryDelayMs: number;
  readonly fetch: ((request: Request) => Promise<Response>) | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly logger: Logger | undefined;
  readonly middleware: readonly Middleware[];
  readonly validation: ValidationMode;
  /** Of the query parameters that the interface does not show. */
  readonly names: WireNames;
}
