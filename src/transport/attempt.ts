/** One attempt: the request goes out, its response is read, and one log record is written. */
import { abortable } from "../async/abortable.js";
import type { RequestSummary } from "../errors/api-error.js";
import { NotetakerError } from "../errors/notetaker-error.js";
import type { CallSecrets } from "./call-secrets.js";
import { connectionErrorFrom, timeoutError } from "./connection-error-from.js";
import { log } from "./logger.js";
import type { BodyContent } from "./operation.js";
import type { PreparedCall } from "./prepare.js";
import { readResponse } from "./read-response.js";
import { sendRequest } from "./send-request.js";
import { type TimeLimit, timeLimit } from "./time-limit.js";
import type { TransportConfig } from "./transport-config.js";

export interface AttemptContext {
  readonly config: TransportConfig;
  /** 1 for the first. */
  readonly attempt: number;
  readonly token: string;
  readonly timeoutMs: number;
  /** Aborts when the whole call is over. */
  readonly signal: AbortSignal | undefined;
  readonly secrets: CallSecrets;
}

/** An attempt that failed may be followed by another; what the caller's own code throws is thrown on. */
export type AttemptResult =
  | { readonly succeeded: true; readonly response: Response; readonly data: unknown }
  | { readonly succeeded: false; readonly error: NotetakerError; readonly response: Response | undefined };

export async function attempt(call: PreparedCall, context: AttemptContext): Promise<AttemptResult> {
  const { config, secrets } = context;
  const { request } = call;
  const limit = attemptLimit(call, request, context);
  const startedAt = performance.now();
  const toConnectionError = (cause: unknown) =>
    connectionErrorFrom(secrets.redactor().cause(cause), request, call.path);
  let response: Response | undefined;
  try {
    const sent = sendRequest({
      ...context,
      call,
      operation: call.operation.operation,
      signal: limit.signal,
      fetch: config.fetch,
      middleware: config.middleware,
      openBody: () => openBody(call, limit, toConnectionError, config.fetch === undefined),
      toConnectionError,
    });
    response = await abortable(sent, limit.signal);
    const reading = readResponse(response, { ...context, call, request, signal: limit.signal, toConnectionError });
    const data = await (response.ok ? abortable(reading, limit.signal) : reading);
    logAttempt("debug", call, context, startedAt, response);
    call.streamBody?.close(undefined);
    return { succeeded: true, response, data };
  } catch (error) {
    logAttempt("warn", call, context, startedAt, response);
    call.streamBody?.close(error);
    if (error instanceof NotetakerError) return { succeeded: false, error, response };
    throw error;
  } finally {
    limit.dispose();
  }
}

/** A streamed body may take any time, as long as it moves. Its limit starts when it is opened. */
function attemptLimit(call: PreparedCall, request: RequestSummary, { timeoutMs, signal }: AttemptContext): TimeLimit {
  const isStreamed = call.streamBody !== undefined;
  const limitName = isStreamed ? "timeoutMs without progress" : "timeoutMs";
  const limit = timeLimit(signal, timeoutMs, () => timeoutError(request, call.path, limitName, timeoutMs));
  if (!isStreamed) limit.restart();
  return limit;
}

function openBody(
  { json, streamBody }: PreparedCall,
  limit: TimeLimit,
  connectionError: (cause: unknown) => ReturnType<typeof connectionErrorFrom>,
  usesPlatformFetch: boolean,
): BodyContent | undefined | Promise<BodyContent> {
  if (streamBody === undefined) return json;
  return streamBody.open({
    signal: limit.signal,
    onProgress: limit.restart,
    fail: limit.abort,
    connectionError,
    stopTimer: limit.stop,
    usesPlatformFetch,
  });
}

function logAttempt(
  level: "debug" | "warn",
  { operation, path }: PreparedCall,
  { config, attempt }: AttemptContext,
  startedAt: number,
  response: Response | undefined,
): void {
  if (config.logger === undefined) return;
  log(config.logger, level, `notetaker: ${operation.operation}`, {
    operation: operation.operation,
    method: operation.method,
    path,
    status: response?.status,
    durationMs: Math.round(performance.now() - startedAt),
    attempt,
  });
}
