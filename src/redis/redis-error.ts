import { ConnectionError } from "../errors/connection-error.js";
import { isErrorLike } from "../errors/error-like.js";

/** An error of Redis by its name and message. A client's error also holds the command, and with it its values. */
function causeOf(error: unknown): Error | undefined {
  if (!isErrorLike(error)) return undefined;
  const cause = new Error(error.message);
  cause.name = error.name;
  return typeof error.code === "string" ? Object.assign(cause, { code: error.code }) : cause;
}

/** The error of an operation for which Redis could not be used: nothing was sent to the service. */
export function redisError(operation: string, why: string, error?: unknown): ConnectionError {
  const reason = isErrorLike(error) ? `${why}: ${error.message}` : why;
  return new ConnectionError(`${operation}: ${reason}`, {
    cause: causeOf(error),
    outcome: "not_sent",
    retryable: true,
  });
}
