/** Makes one attempt: sends the request, reads its response, and writes one log record. ky calls it as its `fetch`. */
import { abortable } from "../async/abort.js";
import { discardBody } from "../async/byte-reader.js";
import { NotetakerError, OUTCOMES, type Outcome } from "../errors/notetaker-error.js";
import { readRateLimit } from "../schemas/rate-limit.js";
import { timeoutError } from "./connection-error-from.js";
import { log } from "./logger.js";
import { readResponse } from "./read-response.js";
import { type Attempt, connectionError, type RunningCall } from "./running-call.js";
import { sendRequest } from "./send-request.js";
import { reportLimits } from "./throttle-hook.js";
import { type TimeLimit, timeLimit } from "./time-limit.js";

/**
 * Resolves to the response, with the data in `call.result`. Rejects with an error of this library, or with an error of
 * the caller's own code.
 */
export function attempt(request: Request, call: RunningCall): Promise<Response> {
  call.attempts += 1;
  const limit = attemptLimit(call);
  const streamBody = call.streamBody?.begin({
    limit,
    usesPlatformFetch: call.config.fetch === undefined,
    connectionError: (cause) => connectionError(call, cause),
  });
  const headers = { ...call.headers, authorization: request.headers.get("authorization") as string };
  const attempt: Attempt = { call, limit, streamBody, isDone: false };
  call.attempt = attempt;
  attempt.done = sendAndRead(headers, attempt);
  return attempt.done;
}

async function sendAndRead(headers: Record<string, string>, attempt: Attempt): Promise<Response> {
  const { call, limit, streamBody } = attempt;
  const { signal } = limit;
  const startedAt = performance.now();
  let response: Response | undefined;
  try {
    if (signal.aborted) throw signal.reason;
    response = await abortable(sendRequest(headers, attempt), signal, discardBody);
    const data = await readResponse(response, call, signal);
    call.result = { data, response, rateLimit: readRateLimit(response.headers) };
    logAttempt("debug", call, startedAt, response);
    streamBody?.close(undefined);
    reportLimits(call, response, undefined);
    return response;
  } catch (error) {
    if (error instanceof NotetakerError) call.outcome = leastCertain(call.outcome, error.outcome);
    logAttempt("warn", call, startedAt, response);
    streamBody?.close(error);
    reportLimits(call, response, error);
    throw error;
  } finally {
    attempt.isDone = true;
    limit.dispose();
  }
}

/** ky limits the time of an attempt, but for a streamed body: it may take any time, as long as it makes progress. */
function attemptLimit(call: RunningCall): TimeLimit {
  const { streamBody, signal } = call;
  if (streamBody === undefined) return timeLimit(signal, undefined, () => undefined);
  const limit = timeLimit(signal, call.limits.timeoutMs, (ms) => timeoutError(call, "timeoutMs without progress", ms));
  // The timer starts when the body is opened.
  limit.stop();
  return limit;
}

/**
 * The outcome of several attempts. If one may have had an effect, a later attempt that is refused does not change that.
 */
export const leastCertain = (before: Outcome, now: Outcome): Outcome =>
  OUTCOMES.indexOf(now) > OUTCOMES.indexOf(before) ? now : before;

function logAttempt(
  level: "debug" | "warn",
  { operation, path, config, attempts }: RunningCall,
  startedAt: number,
  response: Response | undefined,
): void {
  log(config.logger, level, `notetaker: ${operation.name}`, {
    operation: operation.name,
    method: operation.method,
    path,
    status: response?.status,
    durationMs: Math.round(performance.now() - startedAt),
    attempt: attempts,
  });
}
