/** Makes spans and metrics that follow the semantic conventions for HTTP clients, without ids, queries or tokens. */
import {
  type Attributes,
  context,
  type MeterProvider,
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
import { transportOf } from "../transport/resource.js";
import { type ClientMetrics, clientMetrics } from "./client-metrics.js";

/** Options of `instrument`. */
export interface InstrumentOptions {
  /** The provider of the tracer. Default: the global provider of `@opentelemetry/api`. */
  readonly tracerProvider?: TracerProvider | undefined;
  /** The provider of the meter. Default: the global provider of `@opentelemetry/api`. */
  readonly meterProvider?: MeterProvider | undefined;
}

const PROVIDER_METHODS = { tracerProvider: "getTracer", meterProvider: "getMeter" } as const;

/** Without a schema: this entry point loads no zod. */
function optionsProblem(options: unknown): string | undefined {
  if (!isRecord(options)) return expectedType("object", options);
  for (const [name, provider] of Object.entries(options)) {
    if (!Object.hasOwn(PROVIDER_METHODS, name)) return `${name}: ${unknownName(name, Object.keys(PROVIDER_METHODS))}`;
    const method = PROVIDER_METHODS[name as keyof typeof PROVIDER_METHODS];
    const isProvider = isRecord(provider) && typeof provider[method] === "function";
    if (provider === undefined || isProvider) continue;
    return `${name}: expected an object with the method ${method}, received ${kindOf(provider)}`;
  }
  return undefined;
}

/** Per operation. Not in `context`: a program with metrics alone has no context manager, which would lose it. */
type Templates = Map<string, string | undefined>;

/**
 * Returns a client like `notetaker` that records a span per call and, within it, a span per attempt. The span of a call
 * is named after the operation (`rooms.list`). The span of an attempt (`GET /rooms`) is a client span with
 * `http.request.method`, `url.template`, `server.address`, `server.port`, `http.response.status_code`,
 * `http.request.resend_count` and `error.type`. Spans contain no ids, queries or tokens.
 *
 * It also records metrics: `http.client.request.duration` (seconds, per attempt, with the same attributes),
 * `notetaker.client.retries` (attempts after the first, by `notetaker.operation`), and `notetaker.client.throttle.wait`
 * (seconds that calls wait for the rate limit, by `notetaker.operation`). Without a provider, nothing is recorded.
 * @throws {ConfigurationError} if an option is unknown or invalid.
 * @example
 * const notetaker = instrument(new Notetaker());
 */
export function instrument(notetaker: Notetaker, options: InstrumentOptions = {}): Notetaker {
  const problem = optionsProblem(options);
  if (problem !== undefined) throw new ConfigurationError({ message: `instrument: ${problem}` });
  const tracer = (options.tracerProvider ?? trace.getTracerProvider()).getTracer("notetaker-sdk", VERSION);
  const meters = clientMetrics(options.meterProvider);
  const onThrottle = transportOf(notetaker.meetings)?.config.onThrottle;
  const templates: Templates = new Map();
  const instrumented: InstrumentedOptions = {
    [INSTRUMENTATION]: {
      aroundCall: callSpans(tracer, templates),
      aroundAttempt: observedAttempts(tracer, meters, templates),
    },
    onThrottle(report) {
      meters.waited(report);
      return onThrottle?.(report);
    },
  };
  return notetaker.withOptions(instrumented);
}

const callSpans =
  (tracer: Tracer, templates: Templates): AroundCall =>
  async ({ operation, method, template }, run) => {
    templates.set(operation, template);
    return inSpan(
      tracer.startSpan(operation, {
        kind: SpanKind.INTERNAL,
        attributes: {
          "notetaker.operation": operation,
          "http.request.method": method,
          ...(template === undefined ? {} : { "url.template": template }),
        },
      }),
      (span) => context.with(trace.setSpan(context.active(), span), run),
    );
  };

const observedAttempts =
  (tracer: Tracer, meters: ClientMetrics, templates: Templates): Middleware =>
  (request, next, { attempt, operation }) => {
    const template = templates.get(operation);
    const { hostname, port, protocol } = new URL(request.url);
    const attributes: Attributes = {
      "http.request.method": request.method,
      "server.address": hostname,
      "server.port": Number(port) || (protocol === "https:" ? 443 : 80),
      ...(template === undefined ? {} : { "url.template": template }),
    };
    const resent = attempt > 1 ? { "http.request.resend_count": attempt - 1 } : {};
    const name = template === undefined ? request.method : `${request.method} ${template}`;
    const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes: { ...attributes, ...resent } });
    const ended = meters.began({ operation, attempt, attributes });
    return inSpan(
      span,
      async () => {
        const response = await context.with(trace.setSpan(context.active(), span), () => next(request));
        span.setAttribute("http.response.status_code", response.status);
        const type = response.status >= 400 ? String(response.status) : undefined;
        if (type !== undefined) setFailed(span, type);
        ended({ status: response.status, type });
        return response;
      },
      (type) => ended({ type }),
    );
  };

/** Ends the span when `work` ends, and records in it how `work` failed. */
async function inSpan<T>(span: Span, work: (span: Span) => Promise<T>, onFailure?: (type: string) => void): Promise<T> {
  try {
    return await work(span);
  } catch (error) {
    const type = errorType(error);
    if (!isWalkEnded(error)) {
      setFailed(span, type);
      onFailure?.(type);
    }
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
