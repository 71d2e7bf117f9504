/** One attempt: middleware, `fetch`, the body, what the answer means, and one log record. */
import type { RequestSummary } from "../errors/api-error.js";
import { NotetakerError, type Outcome } from "../errors/notetaker-error.js";
import { readAnswer } from "./answer.js";
import { abortable, stallGuard } from "./cancellation.js";
import type { TransportConfig } from "./config.js";
import { connectionError } from "./failure.js";
import type { RawBody } from "./operation.js";
import type { PreparedCall } from "./prepare.js";
import { redactCause, redactText } from "./redact.js";

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

/** The longest time without progress, and the error that it ends with. */
export interface StallLimit {
  readonly ms: number;
  reached(): unknown;
}

/** `bodiless` is the request with everything but its body, which is opened anew for each attempt. */
export async function attempt(
  bodiless: Request,
  { operation, url, path, body }: PreparedCall,
  config: TransportConfig,
  state: CallState,
  stall?: StallLimit,
): Promise<Response> {
  bodiless.signal.throwIfAborted();
  state.attempts += 1;
  const { logger } = config;
  const summary: RequestSummary = { method: operation.method, url };
  const fields = { operation: operation.operation, method: operation.method, path, attempt: state.attempts };
  const started = performance.now();
  let status: number | undefined;

  const guard = stall && stallGuard(bodiless.signal, stall.ms, stall.reached);
  const signal = guard?.signal ?? bodiless.signal;

  const lost = (error: unknown) => connectionError(redactCause(body?.failure ?? error, state.token), summary, path);
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

  const exchange = async (): Promise<Response> => {
    const request = body === undefined ? bodiless : await withBody(bodiless, body, signal, () => guard?.alive());
    const response = await onion(request);
    status = response.status;
    try {
      if (body?.failure !== undefined) throw body.failure;
      state.data = await readAnswer(response, {
        operation: operation.operation,
        request: summary,
        path,
        schema: operation.response,
        validation: config.validation,
        logger,
        redact: (text) => redactText(text, state.token),
      });
    } catch (error) {
      throw error instanceof NotetakerError ? error : lost(error);
    }
    return response;
  };

  const record = (level: "debug" | "warn") =>
    logger?.[level](`notetaker: ${operation.operation}`, {
      ...fields,
      status,
      durationMs: Math.round(performance.now() - started),
    });
  try {
    const response = await abortable(exchange(), signal);
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

async function withBody(bodiless: Request, body: RawBody, signal: AbortSignal, alive: () => void): Promise<Request> {
  // A body that is a stream wants `duplex`, which the type does not know. Without `signal` of its own the request would
  // hear of an abort through `bodiless` only, and no more once that is collected as garbage.
  const init = { body: await body.open(alive), signal, duplex: "half" };
  const request = new Request(bodiless, init as RequestInit);
  // Browsers take no notice of this: they know the length by themselves.
  if (body.size !== undefined) request.headers.set("content-length", String(body.size));
  return request;
}
