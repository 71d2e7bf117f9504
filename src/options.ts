/** Every option of the client and of a single call, each declared and documented once. */
import type { UnshownOverrides } from "./unshown.js";

/** The access token, or a function that is asked for it before each attempt. */
export type Token = string | (() => string | Promise<string>);

/** One step of the onion around each attempt: see {@link ClientOptions.middleware}. */
export type Middleware = (request: Request, next: (request: Request) => Promise<Response>) => Promise<Response>;

/** What one attempt leaves in the log. */
export interface AttemptRecord {
  /** The method of this library, for example `rooms.list`. */
  operation: string;
  method: string;
  /** Below the base address, without the query. */
  path: string;
  /** HTTP status; `undefined` when no answer came. */
  status: number | undefined;
  /** From the first byte sent to the last byte read, in milliseconds. */
  durationMs: number;
  /** 1 for the first. */
  attempt: number;
}

/** Takes the client's records. `console` fits. */
export interface Logger {
  debug(message: string, fields: object): void;
  info(message: string, fields: object): void;
  warn(message: string, fields: object): void;
  error(message: string, fields: object): void;
}

/**
 * What happens to a successful answer that lacks what the interface promises: `strict` throws
 * `ResponseValidationError`, `warn` logs it and passes it on as received, `off` does not look.
 */
export type ValidationMode = "strict" | "warn" | "off";

export interface ClientOptions {
  /**
   * The service's base address: absolute, ends in `/v1`, without query, hash or credentials; `http:` only for a
   * loopback host. Default: the environment variable `NOTETAKER_BASE_URL`.
   */
  baseUrl?: string | undefined;
  /** The API token from the account dashboard. Default: the environment variable `NOTETAKER_TOKEN`. */
  token?: Token | undefined;
  /**
   * Limit of one attempt in milliseconds, from the first byte sent to the last byte read. Of an upload and of a
   * recording's download, however long, it is the time without progress. Default 30,000.
   */
  timeoutMs?: number | undefined;
  /** Limit of a whole call in milliseconds: every attempt, every wait, the body. Default: none. */
  deadlineMs?: number | undefined;
  /** How often a call is repeated at the most. Default 2. */
  maxRetries?: number | undefined;
  /**
   * The longest wait between two attempts, in milliseconds. When the service asks for a longer one, the error is
   * thrown at once. Default 60,000.
   */
  maxRetryDelayMs?: number | undefined;
  /** Called with one `Request`. Default: the global `fetch` as it is at the time of the call. */
  fetch?: ((request: Request) => Promise<Response>) | undefined;
  /** Sent with every request. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Gets one record per attempt ({@link AttemptRecord}). Never a token, a body or a recording link. Default: silent. */
  logger?: Logger | undefined;
  /**
   * An onion around each attempt, the first one outermost: for tracing, recording, extra headers. `next` sends the
   * request; what is returned takes the place of the answer.
   */
  middleware?: readonly Middleware[] | undefined;
  /** Default `strict`. See {@link ValidationMode}. */
  validation?: ValidationMode | undefined;
  /** Other names for the query parameters that the interface does not show. */
  unshown?: UnshownOverrides | undefined;
}

/** A value of a query parameter; an array is sent as the parameter repeated, `undefined` is left out. */
export type QueryValue = string | number | boolean | undefined | readonly (string | number | boolean)[];

/** What every method takes last. */
export interface RequestOptions {
  /** Aborts the call at once, also while it waits between attempts; it rejects with `signal.reason` itself. */
  signal?: AbortSignal | undefined;
  /** Limit of one attempt in milliseconds (of an upload or a download: without progress). Default: the client's. */
  timeoutMs?: number | undefined;
  /** Limit of the whole call in milliseconds. Default: the client's. */
  deadlineMs?: number | undefined;
  /** How often the call is repeated at the most. Default: the client's. */
  maxRetries?: number | undefined;
  /** Sent with this request, in the place of the client's of the same name. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Further query parameters, in the place of the method's own of the same name on the wire. */
  query?: Readonly<Record<string, QueryValue>> | undefined;
}

/** What a method that lists takes last. */
export interface ListOptions extends RequestOptions {
  /** Fetch page n+1 while the items of page n are consumed. Default `false`. */
  prefetch?: boolean | undefined;
}
