/** The error for a failure of Redis, without the values of its commands. */
import { ConnectionError } from "../errors/call-errors.js";
import { isErrorLike } from "../errors/error-record.js";

/**
 * A copy of an error of Redis with its name and message. The client's own error also contains the command with its
 * values.
 */
function causeOf(error: unknown): Error | undefined {
  if (!isErrorLike(error)) return undefined;
  const cause = new Error(error.message);
  cause.name = error.name;
  return typeof error.code === "string" ? Object.assign(cause, { code: error.code }) : cause;
}

/** The error of an operation that failed because Redis could not be used. Nothing was sent to the service. */
export function redisError(operation: string, why: string, error?: unknown): ConnectionError {
  const reason = isErrorLike(error) ? `${why}: ${error.message}` : why;
  return new ConnectionError(`${operation}: ${reason}`, {
    cause: causeOf(error),
    outcome: "not_sent",
    retryable: true,
  });
}
