/** One attempt: middleware, `fetch`, the body, what the answer means, and one log record. */

import { abortable } from "../async/abortable.js";
import type { RequestSummary } from "../errors/api-error.js";
import type { Outcome } from "../errors/notetaker-error.js";
import { readAnswer } from "./answer.js";
import type { TransportConfig } from "./config.js";
import { connectionError } from "./failure.js";
import { log } from "./log.js";
import type { RawBody } from "./operation.js";
import type { PreparedCall } from "./prepare.js";
import { redactCause } from "./redact.js";
import type { StallGuard } from "./stall-guard.js";

/** What the attempts of one call leave behind for the call. */
export interface CallState {
  attempts: number;
  /** The least certain outcome of the attempts so far. */
  outcome: Outcome;
  /** The token of the latest attempt, to be kept out of errors. */
  token: string | undefined;
  /** The data of the answer. */
  data: unknown;
}

/**
 * `bodiless` is the request with everything but its body, which is opened anew for each attempt. `guard` limits the time
 * without progress, for a body of any length.
 */
export async function attempt(
  bodiless: Request,
  { operation, url, path, body }: PreparedCall,
  config: TransportConfig,
  state: CallState,
  guard?: StallGuard,
): Promise<Response> {
  bodiless.signal.throwIfAborted();
  state.attempts += 1;
  const summary: RequestSummary = { method: operation.method, url };
  const fields = { operation: operation.operation, method: operation.method, path, attempt: state.attempts };
  const started = performance.now();
  const signal = guard?.signal ?? bodiless.signal;
  let status: number | undefined;

  const lost = (error: unknown) =>
    body?.ofCallback ? body.failure : connectionError(redactCause(body?.failure ?? error, state.token), summary, path);
  const send = async (request: Request): Promise<Response> => {
    try {
      return await (config.fetch ?? globalThis.fetch)(request);
    } catch (error) {
      throw request.signal.aborted ? request.signal.reason : lost(error);
    }
  };
  // What a middleware throws is the user's own, and passes as it is.
  const onion = config.middleware.reduceRight<typeof send>(
    (next, step) => async (request) => step(request, next),
    send,
  );

  const exchange = async () => {
    const request = body === undefined ? bodiless : await withBody(bodiless, body, signal, guard);
    const response = await onion(request);
    // Nothing at all, or `Response.error()`. A redirect that was not followed has no status, either.
    if (!response?.status && response?.type !== "opaqueredirect") throw lost(new TypeError("no response"));
    status = response.status;
    if (body?.failure !== undefined) throw lost(body.failure);
    const data = await readAnswer(response, {
      operation: operation.operation,
      request: summary,
      path,
      schema: operation.response,
      read: operation.read,
      validation: config.validation,
      logger: config.logger,
      token: state.token,
      lost,
    });
    return { response, data };
  };

  const record = (level: "debug" | "warn") =>
    log(config.logger, level, `notetaker: ${operation.operation}`, {
      ...fields,
      status,
      durationMs: Math.round(performance.now() - started),
    });
  try {
    const { response, data } = await abortable(exchange(), signal);
    // Only here: an attempt that was given up, and ends after all, must not touch what a later one found.
    state.data = data;
    record("debug");
    body?.close?.(undefined);
    return response;
  } catch (error) {
    record("warn");
    body?.close?.(error);
    throw error;
  } finally {
    guard?.stop();
  }
}

async function withBody(
  bodiless: Request,
  body: RawBody,
  signal: AbortSignal,
  guard: StallGuard | undefined,
): Promise<Request> {
  // A body that is a stream wants `duplex`, which the type does not know. Without `signal` of its own the request would
  // hear of an abort through `bodiless` only, and no more once that is collected as garbage.
  const init = { body: await body.open(() => guard?.alive()), signal, duplex: "half" };
  const request = new Request(bodiless, init as RequestInit);
  // Browsers take no notice of this: they know the length by themselves.
  if (body.size !== undefined) request.headers.set("content-length", String(body.size));
  return request;
}
