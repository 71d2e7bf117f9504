/** The argument of a token function. */
export interface TokenContext {
  /** The token that the service has just refused with a 401; else `undefined`. */
  readonly rejected: string | undefined;
}

/**
 * The access token, or a function that is called before each attempt, in the async context of its call. After a 401 it
 * is called with the refused token; if it returns another one, the request is sent again, once per call.
 */
export type Token = string | ((context: TokenContext) => string | Promise<string>);

/** The third argument of a middleware. */
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

/** For a response that does not match its schema: `strict` throws, `warn` logs and returns it, `off` returns it. */
export type ValidationMode = "strict" | "warn" | "off";

export interface CallDescription {
  /** The method of this library, for example `rooms.list`. */
  readonly operation: string;
  readonly method: string;
  /** The path with the names of its ids, for example `/meetings/{meetingId}/transcript`. */
  readonly template: string | undefined;
}

/** Wraps a whole call, with all its attempts and waits. `run` makes the call. */
export type AroundCall = <T>(call: CallDescription, run: () => Promise<T>) => Promise<T>;
