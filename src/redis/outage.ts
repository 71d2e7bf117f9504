/** What the application learns when Redis fails: an error, or one report for each outage. */
import { ConnectionError } from "../errors/call-errors.js";
import { isErrorLike } from "../errors/error-record.js";
import { callSafely, logToConsole } from "../webhooks/http/report-error.js";

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

/**
 * The error of an operation that failed because Redis could not be used.
 *
 * @param outcome - `unknown` if Redis may have carried out the operation: then it is not safe to repeat it.
 */
export function redisError(
  operation: string,
  why: string,
  error?: unknown,
  outcome: "not_sent" | "unknown" = "not_sent",
): ConnectionError {
  const reason = isErrorLike(error) ? `${why}: ${error.message}` : why;
  return new ConnectionError(`${operation}: ${reason}`, {
    cause: causeOf(error),
    outcome,
    retryable: outcome === "not_sent",
  });
}

/** Reports the first error of each outage of Redis. Further errors are ignored until Redis was reached again. */
export class Outage {
  readonly #report: (error: unknown) => void;
  #isReported = false;

  constructor(report: (error: unknown) => void = logToConsole) {
    this.#report = report;
  }

  failed(error: unknown): void {
    if (this.#isReported) return;
    this.#isReported = true;
    callSafely(() => this.#report(error));
  }

  reached(): void {
    this.#isReported = false;
  }
}
