/** Makes one attempt: sends the request, reads its response, and writes one log record. */
import { abortable } from "../async/abortable.js";
import { NotetakerError } from "../errors/notetaker-error.js";
import { createRedactor } from "../redact/redactor.js";
import type { AttemptContext, RunningAttempt } from "./attempt-context.js";
import { connectionErrorFrom, timeoutError } from "./connection-error-from.js";
import { log } from "./logger.js";
import { discardBody } from "./read-body.js";
import { readResponse } from "./read-response.js";
import { sendRequest } from "./send-request.js";
import { type TimeLimit, timeLimit } from "./time-limit.js";

/**
 * A `NotetakerError` is returned, because another attempt may follow. An error of the caller's own code is rethrown.
 */
export type AttemptResult =
  | { readonly error?: undefined; readonly response: Response; readonly data: unknown }
  | { readonly error: NotetakerError; readonly response: Response | undefined };

export async function attempt(context: AttemptContext): Promise<AttemptResult> {
  const { call, secrets } = context;
  const limit = attemptLimit(context);
  const startedAt = performance.now();
  const running: RunningAttempt = {
    ...context,
    limit,
    toConnectionError: (cause) => connectionErrorFrom(createRedactor(secrets).cause(cause), call),
  };
  let response: Response | undefined;
  try {
    response = await abortable(sendRequest(running), limit.signal, discardBody);
    const reading = readResponse(response, running);
    const data = await (response.ok ? abortable(reading, limit.signal) : reading);
    logAttempt("debug", context, startedAt, response);
    call.streamBody?.close(undefined);
    return { response, data };
  } catch (error) {
    logAttempt("warn", context, startedAt, response);
    call.streamBody?.close(error);
    if (error instanceof NotetakerError) return { error, response };
    throw error;
  } finally {
    limit.dispose();
  }
}

/**
 * Sending a streamed body may take any time, as long as it makes progress. Its timer starts when the body is opened.
 */
function attemptLimit({ call, timeoutMs, signal }: AttemptContext): TimeLimit {
  const isStreamed = call.streamBody !== undefined;
  const limitName = isStreamed ? "timeoutMs without progress" : "timeoutMs";
  const limit = timeLimit(signal, timeoutMs, () => timeoutError(call, limitName, timeoutMs));
  if (isStreamed) limit.stop();
  return limit;
}

function logAttempt(
  level: "debug" | "warn",
  { call: { operation, path }, config, attempt }: AttemptContext,
  startedAt: number,
  response: Response | undefined,
): void {
  log(config.logger, level, `notetaker: ${operation.operation}`, {
    operation: operation.operation,
    method: operation.method,
    path,
    status: response?.status,
    durationMs: Math.round(performance.now() - startedAt),
    attempt,
  });
}
