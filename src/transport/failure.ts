/** What `fetch` throws, as an error of this library. */
import type { RequestSummary } from "../errors/api-error.js";
import { ConnectionError } from "../errors/connection-error.js";
import { type ErrorLike, isErrorLike } from "../errors/error-like.js";
import { oneLine } from "../errors/message.js";
import type { Outcome } from "../errors/notetaker-error.js";
import { TimeoutError } from "../errors/timeout-error.js";

/** System errors of a connection that was never made: nothing can have reached the service. */
const NEVER_CONNECTED = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/;

/** An error and its causes, from the outside in. Node puts the system error inside a `TypeError: fetch failed`. */
function* causes(error: unknown): Generator<ErrorLike> {
  for (let depth = 0; isErrorLike(error) && depth < 5; depth++) {
    yield error;
    error = error.errors?.[0] ?? error.cause;
  }
}

export function connectionError(cause: unknown, request: RequestSummary, path: string): ConnectionError {
  const chain = [...causes(cause)];
  const redirected = chain.some(({ message }) => /unexpected ?redirect|redirect mode/i.test(message));
  if (redirected) return redirectError(request, path, cause);
  const outcome: Outcome = chain.some(({ code }) => NEVER_CONNECTED.test(String(code))) ? "not_sent" : "unknown";
  const why = oneLine(chain.at(-1)?.message || String(cause), 200);
  return new ConnectionError(`${request.method} ${path} got no complete answer: ${why}`, {
    cause,
    request,
    outcome,
    retryable: true,
  });
}

/** `what` is a path, or what stands in its place in a message; `limit` the option that set the limit. */
export const timeoutError = (request: RequestSummary, what: string, limit: string, timeoutMs: number): TimeoutError =>
  new TimeoutError(`${request.method} ${what} took longer than ${limit}, ${timeoutMs} ms`, { request, timeoutMs });

export function redirectError(request: RequestSummary, path: string, cause?: unknown): ConnectionError {
  const message = `${request.method} ${path} was answered with a redirect, which is refused`;
  return new ConnectionError(message, { cause, request, outcome: "rejected", retryable: false });
}
