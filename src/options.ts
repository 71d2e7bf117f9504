/** The options of a call, and the types of those that a client passes on to each call. */
import type { NotetakerError } from "./errors/notetaker-error.js";

/** What a token function is told. */
export interface TokenContext {
  /** The token that the service has just refused with a 401; `undefined` before the first attempt and every other. */
  readonly rejected: string | undefined;
}

/**
 * The access token, or a function that returns it, called before each attempt by each call in its own async context.
 * After a 401 it is called once more, with the refused token in `rejected`: another token is tried, once per call.
 */
export type Token = string | ((context: TokenContext) => string | Promise<string>);

/** What a middleware is told of the attempt that it wraps. */
export interface MiddlewareContext {
  /** The method of this library, for example `rooms.list`. */
  readonly operation: string;
  /** 1 for the first attempt of a call. */
  readonly attempt: number;
  /** Aborts when the attempt is over: cancelled, timed out, or past its deadline. */
  readonly signal: AbortSignal;
}

/** Wraps one attempt: call `next` to send the request, and return its response or your own. */
export type Middleware = (
  request: Request,
  next: (request: Request) => Promise<Response>,
  context: MiddlewareContext,
) => Promise<Response>;

/** A response as any implementation of `fetch` returns it. */
export interface FetchResponse {
  readonly status: number;
  readonly ok: boolean;
  readonly headers: { get(name: string): string | null };
  readonly body: unknown;
  text(): Promise<string>;
}

/** The init that `fetch` is called with, `fetchOptions` beside these members. */
export interface FetchInit {
  method: string;
  headers: Record<string, string>;
  /** A new one for each attempt. */
  signal: AbortSignal;
  /** `error`, or `manual` in runtimes that know no `error`. */
  redirect: "error" | "manual";
  /** JSON text, or an upload's stream or `Blob`. Absent if there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: each implementation has a type of its own for bodies
  body?: any;
  /** With a body that is a stream. */
  duplex?: "half";
}

/** Any implementation of `fetch`: it is called with a URL and an init, never with a `Request`. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>;

/**
 * A `Headers`, pairs of name and value, or a record. In a record, `undefined` means "as the client has it" and `null`
 * "without this header".
 */
export type HeadersOption =
  | Headers
  | Iterable<readonly [string, string]>
  | Readonly<Record<string, string | null | undefined>>;

/**
 * Further members of the `init` that `fetch` gets: `next`, `cache`, `cf`, `dispatcher`, `credentials` and the like.
 * `method`, `headers`, `body`, `signal` and `redirect` are the client's own.
 */
export type FetchOptions = Readonly<Record<string, unknown>> & {
  readonly method?: never;
  readonly headers?: never;
  readonly body?: never;
  readonly signal?: never;
  readonly redirect?: never;
};

/** What {@link ClientOptions.onThrottle} is told before a wait. */
export interface ThrottleReport {
  /** The method of this library, for example `rooms.list`. */
  readonly operation: string;
  /** The wait before the request is sent, in milliseconds, as far as it is known now. */
  readonly waitMs: number;
}

/** What {@link ClientOptions.onRetry} is told before a wait. */
export interface RetryReport {
  /** The method of this library, for example `rooms.list`. */
  readonly operation: string;
  /** The attempt that failed: 1 for the first. */
  readonly attempt: number;
  /** The wait before the next attempt, in milliseconds. */
  readonly delayMs: number;
  /** What the attempt failed with. */
  readonly error: NotetakerError;
}

/** What one attempt leaves in the log. */
export interface AttemptRecord {
  /** The method of this library, for example `rooms.list`. */
  operation: string;
  method: string;
  /** The path relative to `baseUrl`, without the query string. */
  path: string;
  /** HTTP status; `undefined` when no answer came. */
  status: number | undefined;
  /** From the first byte sent to the last byte read, in milliseconds. */
  durationMs: number;
  /** 1 for the first. */
  attempt: number;
}

/** A function that receives the client's records, for loggers that take their arguments in another order. */
export type LogFunction = (level: "debug" | "info" | "warn" | "error", message: string, fields: object) => void;

/** Receives the client's records. `console` is one. */
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

/** A value of a query parameter; an array is sent as the parameter repeated, `undefined` is left out. */
export type QueryValue = string | number | boolean | undefined | readonly (string | number | boolean)[];

/** Options that every method accepts as its last argument. */
export interface RequestOptions {
  /** Aborts the call at once, also while it waits between attempts; it rejects with `signal.reason` itself. */
  signal?: AbortSignal | undefined;
  /** The time that one attempt may take in milliseconds (upload, download: without progress). Default: the client's. */
  timeoutMs?: number | undefined;
  /** The time that the whole call may take in milliseconds. Default: the client's. */
  deadlineMs?: number | undefined;
  /** The maximum number of retries. Default: the client's. */
  maxRetries?: number | undefined;
  /** Sent with this request; each replaces the client's header of the same name, and `null` removes it. */
  headers?: HeadersOption | undefined;
  /** Extra query parameters; they override the method's own of the same name on the wire. */
  query?: Readonly<Record<string, QueryValue>> | undefined;
  /** Further members of the init that `fetch` gets; each overrides the client's. See {@link FetchOptions}. */
  fetchOptions?: FetchOptions | undefined;
}
