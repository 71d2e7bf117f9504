/** What a middleware receives beside the request. */
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
