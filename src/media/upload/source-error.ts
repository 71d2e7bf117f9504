import { ConnectionError } from "../../errors/call-errors.js";
import { isErrorLike } from "../../errors/error-record.js";
import { NotetakerError } from "../../errors/notetaker-error.js";
import { oneLine } from "../../errors/one-line.js";
import type { StreamAttempt } from "../../transport/operation.js";

/**
 * Makes the error for a source that fails. An error of this library is returned unchanged; for example, `fromPath`
 * throws one for a missing file. `attempt` removes secrets from the cause, and names the request.
 */
export function sourceError(
  operation: string,
  cause: unknown,
  outcome: "not_sent" | "unknown",
  attempt?: StreamAttempt,
): NotetakerError {
  if (cause instanceof NotetakerError) return cause;
  const { cause: shownCause, request } = attempt?.connectionError(cause) ?? { cause, request: undefined };
  const problem = outcome === "not_sent" ? "the source could not be opened" : "the source failed";
  const reason = oneLine(isErrorLike(shownCause) ? shownCause.message : String(shownCause), 200);
  return new ConnectionError(`${operation}: ${problem}: ${reason}`, { cause: shownCause, request, outcome });
}
