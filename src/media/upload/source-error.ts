import { ConnectionError } from "../../errors/call-errors.js";
import { isErrorLike } from "../../errors/error-record.js";
import { NotetakerError } from "../../errors/notetaker-error.js";
import { oneLine } from "../../errors/one-line.js";
import type { BodyLimits } from "../../transport/operation.js";

/**
 * Makes the error for a source that fails. An error of this library is returned unchanged; for example, `fromPath`
 * throws one for a missing file. `limits` removes secrets from the cause, and names the request.
 */
export function sourceError(
  operation: string,
  cause: unknown,
  outcome: "not_sent" | "unknown",
  limits?: Pick<BodyLimits, "connectionError">,
): NotetakerError {
  if (cause instanceof NotetakerError) return cause;
  const { cause: shownCause, request } = limits?.connectionError(cause) ?? { cause, request: undefined };
  const problem = outcome === "not_sent" ? "the source could not be opened" : "the source failed";
  const reason = oneLine(isErrorLike(shownCause) ? shownCause.message : String(shownCause), 200);
  return new ConnectionError(`${operation}: ${problem}: ${reason}`, { cause: shownCause, request, outcome });
}
