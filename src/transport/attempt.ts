/** Makes one attempt: sends the request, reads its response, and writes one log record. */
import { discardBody } from "../async/byte-reader.js";
import { readRateLimit } from "../errors/rate-limit.js";
import type { ApiResponse } from "./api-promise.js";
import type { Attempt } from "./checked-call.js";
import { log } from "./logger.js";
import { readResponse } from "./read-response.js";
import { sendRequest } from "./send-request.js";
import { reportLimits } from "./throttle-hook.js";

export async function makeAttempt(begun: Omit<Attempt, "streamBody">): Promise<ApiResponse<unknown>> {
  const { call, limit } = begun;
  // The time that an upload may take without progress starts when its body is opened.
  if (call.streamBody !== undefined) limit.stop();
  const streamBody = call.streamBody?.begin({
    limit,
    usesPlatformFetch: call.config.fetch === undefined,
    request: call.request,
  });
  const attempt: Attempt = { ...begun, streamBody };
  const startedAt = performance.now();
  let response: Response | undefined;
  try {
    response = await limit.abortable(sendRequest(attempt), discardBody);
    const data = await readResponse(response, attempt);
    logAttempt("debug", attempt, startedAt, response);
    streamBody?.close(undefined);
    reportLimits(attempt, response, undefined);
    return { data, response, rateLimit: readRateLimit(response.headers) };
  } catch (error) {
    logAttempt("warn", attempt, startedAt, response);
    streamBody?.close(error);
    reportLimits(attempt, response, error);
    throw error;
  } finally {
    limit.dispose();
  }
}

function logAttempt(
  level: "debug" | "warn",
  { call: { operation, path, config }, number }: Attempt,
  startedAt: number,
  response: Response | undefined,
): void {
  log(config.logger, level, `notetaker: ${operation.name}`, {
    operation: operation.name,
    method: operation.method,
    path,
    status: response?.status,
    durationMs: Math.round(performance.now() - startedAt),
    attempt: number,
  });
}
