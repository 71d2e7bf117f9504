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
