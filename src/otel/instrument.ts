/** Makes spans that follow the semantic conventions for HTTP clients, without ids, queries or tokens. */
import {
  context,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  type TracerProvider,
  trace,
} from "@opentelemetry/api";
import { expectedType, kindOf } from "../checks/format-issues.js";
import { unknownName } from "../checks/unknown-name.js";
import type { Notetaker } from "../client.js";
import { INSTRUMENTATION, type InstrumentedOptions } from "../configuration/instrumentation.js";
import { VERSION } from "../configuration/version.js";
import { ConfigurationError } from "../errors/argument-errors.js";
import { isRecord } from "../json/is-record.js";
import { isWalkEnded } from "../lists/abort-on-return.js";
import type { AroundCall, Middleware } from "../transport/option-types.js";

/** Options of `instrument`. */
export interface InstrumentOptions {
  /** The provider of the tracer. Default: the global provider of `@opentelemetry/api`. */
  readonly tracerProvider?: TracerProvider | undefined;
}

/** Without a schema: this entry point loads no zod. */
function optionsProblem(options: unknown): string | undefined {
  if (!isRecord(options)) return expectedType("object", options);
  const { tracerProvider, ...others } = options;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) return `${unknown}: ${unknownName(unknown, ["tracerProvider"])}`;
  if (tracerProvider === undefined) return undefined;
  const isProvider = isRecord(tracerProvider) && typeof tracerProvider.getTracer === "function";
  if (isProvider) return undefined;
  return `tracerProvider: expected an object with the method getTracer, received ${kindOf(tracerProvider)}`;
}

/** The key under which a call passes its URL template to its attempts. */
const TEMPLATE_KEY = Symbol("notetaker-sdk.template");

/**
 * Returns a client like `notetaker` that records a span per call and, within it, a span per attempt. The span of a call
 * is named after the operation (`rooms.list`). The span of an attempt (`GET /rooms`) is a client span with
 * `http.request.method`, `url.template`, `server.address`, `server.port`, `http.response.status_code`,
 * `http.request.resend_count` and `error.type`. Spans contain no ids, queries or tokens.
 *
 * @throws {ConfigurationError} {@link ConfigurationError} if an option is unknown or invalid.
 * @example
 * const notetaker = instrument(new Notetaker());
 */
export function instrument(notetaker: Notetaker, options: InstrumentOptions = {}): Notetaker {
  const problem = optionsProblem(options);
  if (problem !== undefined) throw new ConfigurationError({ message: `instrument: ${problem}` });
  const tracer = (options.tracerProvider ?? trace.getTracerProvider()).getTracer("notetaker-sdk", VERSION);
  const instrumented: InstrumentedOptions = {
    [INSTRUMENTATION]: { aroundCall: callSpans(tracer), aroundAttempt: attemptSpans(tracer) },
  };
  return notetaker.withOptions(instrumented);
}

const callSpans =
  (tracer: Tracer): AroundCall =>
  async ({ operation, method, template }, run) =>
    inSpan(
      tracer.startSpan(operation, {
        kind: SpanKind.INTERNAL,
        attributes: {
          "notetaker.operation": operation,
          "http.request.method": method,
          ...(template === undefined ? {} : { "url.template": template }),
        },
      }),
      (span) => context.with(trace.setSpan(context.active(), span).setValue(TEMPLATE_KEY, template), run),
    );

const attemptSpans =
  (tracer: Tracer): Middleware =>
  (request, next, { attempt }) => {
    const template = context.active().getValue(TEMPLATE_KEY) as string | undefined;
    const { hostname, port, protocol } = new URL(request.url);
    const span = tracer.startSpan(template === undefined ? request.method : `${request.method} ${template}`, {
      kind: SpanKind.CLIENT,
      attributes: {
        "http.request.method": request.method,
        "server.address": hostname,
        "server.port": Number(port) || (protocol === "https:" ? 443 : 80),
        ...(template === undefined ? {} : { "url.template": template }),
        ...(attempt > 1 ? { "http.request.resend_count": attempt - 1 } : {}),
      },
    });
    return inSpan(span, async () => {
      const response = await context.with(trace.setSpan(context.active(), span), () => next(request));
      span.setAttribute("http.response.status_code", response.status);
      if (response.status >= 400) setFailed(span, String(response.status));
      return response;
    });
  };

/** Ends the span when `work` ends, and records in it how `work` failed. */
async function inSpan<T>(span: Span, work: (span: Span) => Promise<T>): Promise<T> {
  try {
    return await work(span);
  } catch (error) {
    if (!isWalkEnded(error)) setFailed(span, errorType(error));
    throw error;
  } finally {
    span.end();
  }
}

/** Only the name of an error's class, because its message may contain names of people. */
const errorType = (error: unknown) => (isRecord(error) && typeof error.name === "string" ? error.name : typeof error);

function setFailed(span: Span, type: string): void {
  span.setAttribute("error.type", type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}
