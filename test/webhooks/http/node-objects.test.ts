/**
 * `toNodeListener` with request and response objects of other servers: HTTP/2, serverless adapters, frameworks. The
 * tests control what these objects do, and when.
 */
import { EventEmitter } from "node:events";
import { expect, it, vi } from "vitest";
import { type NodeRequest, type NodeResponse, toNodeListener } from "../../../src/webhooks/http/node-listener.js";
import { collectGarbage } from "../../support/collect-garbage.js";

/** A request with `fields`, whose body the test sends as events. */
function requestOf(fields: Partial<NodeRequest> = {}) {
  const { headers = {}, ...others } = fields;
  return Object.assign(new EventEmitter(), { ...others, headers, pause: vi.fn(), resume: vi.fn() });
}

function responseOf() {
  const response = Object.assign(new EventEmitter(), {
    statusCode: 0,
    writableFinished: false,
    setHeader: vi.fn(),
    appendHeader: vi.fn(),
    write: vi.fn(() => true),
    end: vi.fn(),
    destroy: vi.fn(),
  });
  return response as typeof response & NodeResponse;
}

/** A turn of the event loop, in which streams continue. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

const LOCAL = "http://localhost/";
it.each<[what: string, fields: Partial<NodeRequest>, url: string, headers?: Record<string, string>]>([
  ["no fields", {}, "http://localhost/"],
  [
    "the pseudo-headers of HTTP/2",
    { url: "/x", headers: { ":method": "GET", ":path": "/x", ":authority": "app.example.com", "x-a": "1" } },
    "http://app.example.com/x",
    { "x-a": "1" },
  ],
  ["several values, or none", { headers: { "x-two": ["1", "2"], "x-none": undefined } }, LOCAL, { "x-two": "1, 2" }],
  ["a target without a path", { url: "?x=1" }, "http://localhost/?x=1"],
  ["a target that is no path", { url: "x" }, "http://localhost/"],
  ["Express's originalUrl", { url: "/b", originalUrl: "/a/b" }, "http://localhost/a/b"],
  ["a HEAD, which has no body", { method: "HEAD" }, "http://localhost/"],
])("the request of an object with %s", async (_, fields, url, headers = {}) => {
  const response = responseOf();
  let seen: Request | undefined;
  await toNodeListener((request) => {
    seen = request;
    return new Response();
  })(requestOf(fields), response);
  expect([seen?.url, seen?.method, seen?.body]).toEqual([url, fields.method ?? "GET", null]);
  expect(Object.fromEntries(seen?.headers ?? [])).toEqual(headers);
  expect(response.statusCode).toBe(200);
});

it("a Host header that is a list is answered with 400", async () => {
  const response = responseOf();
  await toNodeListener(() => expect.fail())(requestOf({ headers: { host: ["app.example.com"] } }), response);
  expect(response.statusCode).toBe(400);
});

it.each<[what: string, fields: Partial<NodeRequest>, send: (request: EventEmitter) => void, result: string]>([
  [
    "it arrives in chunks",
    {},
    (request) => {
      for (const chunk of ["a", "b"]) request.emit("data", Buffer.from(chunk));
      for (const event of ["end", "close"]) request.emit(event);
    },
    "ab",
  ],
  ["it was read before", { readableDidRead: true }, () => {}, "parsed_body"],
  ["a parser kept its bytes", { readableDidRead: true, body: Buffer.from("kept") }, () => {}, "kept"],
  ["a parser kept rawBody", { readableDidRead: true, body: { a: 1 }, rawBody: Buffer.from("kept") }, () => {}, "kept"],
  ["the client has disconnected", { destroyed: true }, () => {}, "aborted"],
  [
    "the client disconnects",
    {},
    (request) => {
      request.emit("data", Buffer.from("half"));
      for (const event of ["close", "end"]) request.emit(event);
    },
    "aborted",
  ],
])("the body of a request object: %s", async (_, fields, send, result) => {
  const request = requestOf({ method: "POST", ...fields });
  let text: Promise<string> | undefined;
  toNodeListener(async (seen) => {
    text = seen.text().catch((error: Error & { reason?: string }) => error.reason ?? error.message);
    await text;
    return new Response();
  })(request, responseOf());
  await turn();
  send(request);
  expect(await text).toBe(result);
});

/** Sends a response whose body the test writes. `isSlow`: the client never asks for more. */
function sendBody(isSlow: boolean) {
  const response = responseOf();
  if (isSlow) response.write.mockReturnValue(false);
  const cancelled = vi.fn();
  const signals: AbortSignal[] = [];
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({
    start(given) {
      controller = given;
    },
    cancel: cancelled,
  });
  const sending: unknown = toNodeListener(async (request) => {
    signals.push(request.signal);
    await turn();
    return new Response(body);
  })(requestOf(), response);
  return { response, controller, cancelled, signals, sending };
}

it.each([false, true])("a body that fails closes the connection, also if the reader is slow: %s", async (isSlow) => {
  const { response, controller, sending } = sendBody(isSlow);
  controller.enqueue(Buffer.from("half"));
  await vi.waitFor(() => expect(response.write).toHaveBeenCalled(), 60_000);
  controller.error(new Error("broken"));
  await vi.waitFor(() => expect(response.destroy).toHaveBeenCalled(), 60_000);
  response.emit("close");
  await sending;
  expect(response.end).not.toHaveBeenCalled();
});

it("a request body is read as fast as the handler reads, and the rest is drained", async () => {
  const request = requestOf({ method: "POST" });
  let reader!: ReadableStreamDefaultReader<Uint8Array>;
  toNodeListener(async ({ body }) => {
    reader = body!.getReader();
    return new Response();
  })(request, responseOf());
  await turn();
  expect(request.resume).not.toHaveBeenCalled();
  for (const times of [1, 2]) {
    const read = reader.read();
    await turn();
    expect(request.resume).toHaveBeenCalledTimes(times);
    request.emit("data", Buffer.from("a"));
    expect(request.pause).toHaveBeenCalledTimes(times);
    await read;
  }
  await reader.cancel();
  expect(request.resume).toHaveBeenCalledTimes(3);
  request.emit("data", Buffer.from("a"));
  expect(request.pause).toHaveBeenCalledTimes(2);
});

it("a response body is read as fast as the client reads, and cancelled if the client disconnects meanwhile", async () => {
  const { response, controller, cancelled, sending } = sendBody(true);
  for (const text of ["1", "2", "3"]) controller.enqueue(Buffer.from(text));
  await vi.waitFor(() => expect(response.write).toHaveBeenCalledTimes(1), 60_000);
  await turn();
  expect(response.write).toHaveBeenCalledTimes(1);
  response.emit("drain");
  await turn();
  expect(response.write).toHaveBeenCalledTimes(2);
  expect(cancelled).not.toHaveBeenCalled();
  response.emit("close");
  await sending;
  expect(cancelled).toHaveBeenCalledOnce();
  expect([response.write.mock.calls.length, response.end.mock.calls]).toEqual([2, []]);
});

it("a body is cancelled and not sent if the client disconnected before the handler returned it", async () => {
  const { response, cancelled, sending } = sendBody(false);
  response.emit("close");
  await sending;
  expect(cancelled).toHaveBeenCalledOnce();
  expect([response.write.mock.calls, response.end.mock.calls]).toEqual([[], []]);
});

it("the end of a connection after the whole response does not abort the signal", async () => {
  const { response, controller, signals, sending } = sendBody(false);
  controller.close();
  await sending;
  expect(response.end).toHaveBeenCalledOnce();
  response.writableFinished = true;
  response.emit("close");
  expect(signals[0]?.aborted).toBe(false);
});

/** The objects of Fastify, which have Node's own as `raw`. */
function fastifyObjects(fields: { body?: unknown; rawBody?: unknown }) {
  const request = { raw: requestOf({ method: "POST", readableDidRead: true }), ...fields };
  return { request, reply: { raw: responseOf(), hijack: vi.fn() } };
}

it.each<[what: string, fields: { body?: unknown; rawBody?: unknown }, result: string]>([
  ["parseAs: buffer", { body: Buffer.from("kept") }, "kept"],
  ["NestJS with rawBody: true", { body: { a: 1 }, rawBody: Buffer.from("kept") }, "kept"],
  ["a parsed body", { body: { a: 1 } }, "parsed_body"],
])("Fastify's request and reply, %s", async (_, fields, result) => {
  const { request, reply } = fastifyObjects(fields);
  let text: string | undefined;
  await toNodeListener(async (seen) => {
    text = await seen.text().catch((error: Error & { reason?: string }) => error.reason);
    return new Response();
  })(request, reply);
  expect([text, reply.raw.statusCode]).toEqual([result, 200]);
  // Fastify must not send a response of its own.
  expect(reply.hijack).toHaveBeenCalledOnce();
});

it("objects without Node's own are named in the log, and the listener does not reject", async () => {
  const logged = vi.spyOn(console, "error").mockImplementation(() => {});
  const listener = toNodeListener(() => expect.fail()) as (req: unknown, res: unknown) => Promise<void>;
  for (const objects of [[{ headers: {} }, responseOf()], [{}, {}], [requestOf(), undefined], []]) {
    await listener(objects[0], objects[1]);
  }
  const names = logged.mock.calls.map(([, error]) => (error as Error).name);
  expect(names).toEqual(Array(4).fill("ConfigurationError"));
});

it("request.signal aborts although nothing but a listener on it is kept, also in code that V8 has optimised", async () => {
  const aborted = vi.fn();
  const listener = toNodeListener(({ signal }) => {
    signal.addEventListener("abort", aborted);
    return new Response(new ReadableStream({ pull: () => new Promise(() => {}) }));
  });
  const none = () => true;
  const members = { statusCode: 0, writableFinished: false, setHeader: none, write: none, end: none, destroy: none };
  let response = new EventEmitter();
  // Code that is not optimised keeps the request in memory by itself.
  for (let served = 0; served < 2_500; served += 1) {
    response.emit("close");
    response = Object.assign(new EventEmitter(), members);
    void listener(Object.assign(new EventEmitter(), { headers: {}, pause: none, resume: none }), response as never);
    if (served % 50 === 0) await turn();
  }
  for (let times = 0; times < 5; times += 1) {
    await turn();
    collectGarbage();
  }
  aborted.mockClear();
  response.emit("close");
  expect(aborted).toHaveBeenCalledTimes(1);
});
