/** The spans of calls and attempts, as an exporter gets them. */
import { context, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import { ConfigurationError, ServerError } from "notetaker-sdk";
import { instrument } from "notetaker-sdk/otel";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { VERSION } from "../../src/configuration/version.js";
import { held } from "../support/held.js";
import { clientOf, type Handler, json, refusal, rejection, rejectionOf, TOKEN } from "../support/recorder.js";
import * as samples from "../support/samples.js";

beforeAll(() => {
  // For its context manager. Each test has a provider of its own.
  new NodeTracerProvider().register({ propagator: null });
  trace.disable();
});
afterAll(() => context.disable());

function instrumented(handler: Handler, options: object = {}) {
  const exporter = new InMemorySpanExporter();
  const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const { notetaker, seen } = clientOf(handler, { maxRetryDelayMs: 0, ...options });
  return {
    notetaker: instrument(notetaker, { tracerProvider }),
    seen,
    tracerProvider,
    spans: () => exporter.getFinishedSpans(),
  };
}

describe("instrument", () => {
  it("creates a span for the call and, inside it, a span for each attempt", async () => {
    const { notetaker, spans } = instrumented((_, index) =>
      index === 0 ? refusal(503, "unavailable") : json(samples.transcript),
    );
    await notetaker.meetings.getTranscript("mtg_secret1");
    const [first, second, call] = spans();
    expect(call).toMatchObject({ name: "meetings.getTranscript", kind: SpanKind.INTERNAL });
    expect(call?.attributes).toEqual({
      "notetaker.operation": "meetings.getTranscript",
      "http.request.method": "GET",
      "url.template": "/meetings/{meetingId}/transcript",
    });
    expect(call?.status.code).toBe(SpanStatusCode.UNSET);
    expect(first).toMatchObject({ name: "GET /meetings/{meetingId}/transcript", kind: SpanKind.CLIENT });
    expect(first?.attributes).toEqual({
      "http.request.method": "GET",
      "url.template": "/meetings/{meetingId}/transcript",
      "server.address": "api.example.com",
      "server.port": 443,
      "http.response.status_code": 503,
      "error.type": "503",
    });
    expect(second?.attributes).toMatchObject({ "http.request.resend_count": 1, "http.response.status_code": 200 });
    for (const attempt of [first, second]) {
      expect(attempt?.parentSpanContext?.spanId).toBe(call?.spanContext().spanId);
    }
  });

  it("records the error of a lost connection, and of an argument that is refused before a request is sent", async () => {
    const { notetaker, spans, seen } = instrumented(() => Promise.reject(new TypeError("fetch failed")), {
      maxRetries: 0,
    });
    await rejection(notetaker.webhooks.list());
    expect(spans().map(({ attributes }) => attributes["error.type"])).toEqual(["ConnectionError", "ConnectionError"]);
    await rejection(notetaker.rooms.list({ limit: 0 }));
    expect(spans().at(-1)?.attributes["error.type"]).toBe("InvalidArgumentError");
    expect(seen).toHaveLength(1);
  });

  it("records no error for a page that is no longer wanted, because the loop over its list was left", async () => {
    const requested = held();
    const { notetaker, spans } = instrumented(({ request: { signal } }, index) => {
      if (index === 0) return json(samples.page([samples.room], "cur_1"));
      requested.release();
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    });
    const walk = notetaker.rooms.list().pages();
    await walk.next();
    void walk.next();
    await requested.promise;
    await walk.return();
    expect(spans()).toHaveLength(4);
    expect(spans().map(({ status }) => status.code)).toEqual(Array(4).fill(SpanStatusCode.UNSET));
    expect(spans().some(({ attributes }) => "error.type" in attributes)).toBe(false);
  });

  it("records no id, no query and no token", async () => {
    const { notetaker, spans } = instrumented(({ path }) =>
      path === "/rooms" ? json(samples.page([])) : refusal(500, "x"),
    );
    await notetaker.rooms.list({ search: "quarterly figures", ids: ["room_secret1"] });
    await rejectionOf(ServerError, notetaker.meetings.getTranscript("mtg_secret1"));
    await rejection(notetaker.request("GET", "/teams/team_secret1"));
    const text = JSON.stringify(
      spans().map(({ name, attributes, status, events }) => [name, attributes, status, events]),
    );
    for (const secret of ["secret1", "quarterly", TOKEN]) expect(text).not.toContain(secret);
  });

  it.each([
    [{ tracerprovider: {} }, "tracerprovider"],
    [{ tracerProvider: "jaeger" }, "tracerProvider"],
    [{ tracerProvider: {} }, "tracerProvider"],
    [null, "expected an object"],
  ])("refuses %j as options", (options, named) => {
    const make = () => instrument(clientOf(() => json([])).notetaker, options as never);
    expect(make).toThrow(ConfigurationError);
    expect(make).toThrow(`instrument: ${named}`);
  });

  it("does not change the client that it gets", async () => {
    const { notetaker, seen } = clientOf(() => json([]));
    const exporter = new InMemorySpanExporter();
    const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
    instrument(notetaker, { tracerProvider });
    await notetaker.webhooks.list();
    expect(seen).toHaveLength(1);
    expect(exporter.getFinishedSpans()).toEqual([]);
  });

  it.each([
    ["http://127.0.0.1:8123/v1", 8123],
    ["http://127.0.0.1/v1", 80],
  ])("records the port of the server %s", async (baseUrl, port) => {
    const { notetaker, spans } = instrumented(() => json([]), { baseUrl });
    await notetaker.webhooks.list();
    expect(spans()[0]?.attributes["server.port"]).toBe(port);
  });

  it("sets no URL template and no resend count if they do not apply", async () => {
    const { notetaker, spans } = instrumented(() => json({}));
    await notetaker.request("GET", "/teams/team_1");
    const [attempt, call] = spans();
    expect(attempt?.name).toBe("GET");
    expect(attempt?.attributes).toEqual({
      "http.request.method": "GET",
      "server.address": "api.example.com",
      "server.port": 443,
      "http.response.status_code": 200,
    });
    expect(attempt?.status.code).toBe(SpanStatusCode.UNSET);
    expect(Object.keys(call?.attributes ?? {})).toEqual(["notetaker.operation", "http.request.method"]);
  });

  it.each([
    [400, "BadRequestError"],
    [500, "ServerError"],
  ])("marks the spans of an attempt with status %i and of its call as failed", async (status, name) => {
    const { notetaker, spans } = instrumented(() => refusal(status, "refused"), { maxRetries: 0 });
    await rejection(notetaker.webhooks.list());
    expect(spans().map((span) => span.attributes["error.type"])).toEqual([String(status), name]);
    for (const span of spans()) expect(span.status).toEqual({ code: SpanStatusCode.ERROR });
  });

  it.each([
    ["a string", "a text", "string"],
    ["an object without a name", { name: 5 }, "object"],
    ["an error of the caller", Object.assign(new Error("m"), { name: "MineError" }), "MineError"],
  ])("records the type of the abort reason: %s", async (_, reason, type) => {
    const { notetaker, spans } = instrumented(() => new Promise<Response>(() => {}));
    const controller = new AbortController();
    const call = notetaker.webhooks.list({ signal: controller.signal });
    setTimeout(() => controller.abort(reason), 1);
    await rejection(call);
    expect(spans().at(-1)?.attributes["error.type"]).toBe(type);
  });

  it("creates its spans inside the active span, and is active itself while the caller's own fetch runs", async () => {
    let inner: string | undefined;
    const { notetaker, spans, tracerProvider } = instrumented(() => {
      inner = trace.getSpan(context.active())?.spanContext().spanId;
      return json([]);
    });
    const outer = tracerProvider.getTracer("test").startSpan("outer");
    await context.with(trace.setSpan(context.active(), outer), () => notetaker.webhooks.list());
    const [attempt, call] = spans();
    expect(call?.parentSpanContext?.spanId).toBe(outer.spanContext().spanId);
    expect(inner).toBe(attempt?.spanContext().spanId);
  });

  it("uses the global provider by default, with the package's name and version", async () => {
    const tracers: unknown[] = [];
    const provider = new BasicTracerProvider();
    trace.setGlobalTracerProvider({
      getTracer: (name, version) => {
        tracers.push([name, version]);
        return provider.getTracer(name, version);
      },
    });
    onTestFinished(() => trace.disable());
    await instrument(clientOf(() => json([])).notetaker).webhooks.list();
    expect(tracers).toEqual([["notetaker-sdk", VERSION]]);
  });
});
