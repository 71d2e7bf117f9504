/** Adapts a `Request → Response` handler to `node:http`, and to the frameworks built on it, without importing them. */
import { hasMethod } from "../../async/byte-reader.js";
import { ConfigurationError } from "../../errors/argument-errors.js";
import { isRawBody, parsedBodyError, rawBytes, readChunks } from "./body.js";
import { logToConsole } from "./respond.js";

/** The used part of Node's `IncomingMessage`, and the properties that frameworks add to it. */
export interface NodeRequest {
  /** The HTTP method. */
  method?: string | undefined;
  /** The path and query of the request line. */
  url?: string | undefined;
  /** Express: the URL before a router removed its prefix. */
  originalUrl?: string | undefined;
  /** The headers, by their lower-case names. */
  headers: Record<string, string | string[] | undefined>;
  /** Express, Next.js: the result of a body parser. Used only if it is a string or bytes. */
  body?: unknown;
  /** NestJS, Google Cloud Functions, Firebase: the raw body beside the parsed one. */
  rawBody?: unknown;
  /** Whether the stream has been read from. */
  readableDidRead?: boolean | undefined;
  /** Whether the connection is closed. */
  destroyed?: boolean | undefined;
  /** Listens to an event of the stream. */
  on(event: string, listener: (...values: unknown[]) => void): unknown;
  /** Stops the flow of chunks. */
  pause(): unknown;
  /** Lets chunks flow again. */
  resume(): unknown;
}

/** The used part of Node's `ServerResponse`. */
export interface NodeResponse {
  /** The HTTP status to send. */
  statusCode: number;
  /** Whether everything was sent. */
  readonly writableFinished: boolean;
  /** Whether `end` was called. Over HTTP/2, `writableFinished` is also true after the client has left. */
  readonly writableEnded?: boolean | undefined;
  /** Sets a header. */
  setHeader(name: string, value: string): unknown;
  /** Adds a value to a header. */
  appendHeader(name: string, value: string): unknown;
  /** Sends a chunk; `false` asks to wait for `drain`. */
  write(chunk: Uint8Array): boolean;
  /** Ends the response. */
  end(): unknown;
  /** Closes the connection. */
  destroy(): unknown;
  /** Listens to an event of the stream. */
  on(event: string, listener: () => void): unknown;
}

/** The request of Fastify, and of NestJS on Fastify. */
export interface FastifyLikeRequest {
  /** Node's request. */
  raw: NodeRequest;
  /** The result of a content type parser. Used only if it is a string or bytes. */
  body?: unknown;
  /** NestJS: the raw body beside the parsed one. */
  rawBody?: unknown;
}

/** The reply of Fastify, and of NestJS on Fastify. */
export interface FastifyLikeReply {
  /** Node's response. */
  raw: NodeResponse;
  /** Tells Fastify not to respond itself. */
  hijack?(): unknown;
}

type Handler = (request: Request) => Response | Promise<Response>;

type AnyRequest = NodeRequest | FastifyLikeRequest;

type AnyResponse = NodeResponse | FastifyLikeReply;

/**
 * A listener for `http.createServer`, or for a route of Express, Connect, Fastify, NestJS or a Next.js `pages/api`
 * file. Bodies are streamed, each at the speed of its reader, and their size is not limited. `request.signal` aborts
 * when the client disconnects.
 *
 * `request.url` has the path and query of the request line; an invalid `Host` header gets 400. A handler that throws,
 * or returns no `Response`, causes a 500. A response body that fails, and `Response.error()`, close the connection. The
 * listener never throws or rejects: its errors go to `console.error`.
 * @throws {ConfigurationError} if `handler` is not a function, for example the receiver instead of its `handle`.
 * @example
 * http.createServer(toNodeListener(receiver.handle)).listen(3000);
 * @example
 * // Express, before express.json()
 * app.post("/webhooks", toNodeListener(receiver.handle));
 */
export function toNodeListener(handler: Handler): (req: AnyRequest, res: AnyResponse) => void {
  if (typeof handler !== "function") {
    throw new ConfigurationError({ message: "toNodeListener: expected a function, for example receiver.handle" });
  }
  // The type hides the promise, which never rejects: it is for frameworks, and Node expects nothing.
  return async (req, res) => {
    try {
      await serve(req, res, handler);
    } catch (error) {
      logToConsole(error);
    }
  };
}

const UNKNOWN_OBJECTS =
  "toNodeListener: expected the request and the response of node:http, or of Fastify. Other frameworks have Node's own " +
  "as a property: Koa as ctx.req and ctx.res, hapi as request.raw.req and request.raw.res";

/** Node's own object, which Fastify keeps as `raw`. */
function nodeObjectOf<T>(object: T | { raw: T } | undefined): T | undefined {
  const { raw } = Object(object) as { raw?: T };
  return [raw, object as T].find((candidate) => hasMethod(candidate, "on"));
}

async function serve(req: AnyRequest, res: AnyResponse, handler: Handler): Promise<void> {
  const nodeRequest = nodeObjectOf<NodeRequest>(req);
  const nodeResponse = nodeObjectOf<NodeResponse>(res);
  if (nodeRequest === undefined || nodeResponse === undefined) {
    throw new ConfigurationError({ message: UNKNOWN_OBJECTS });
  }
  if ("hijack" in res) res.hijack?.();
  const clientDisconnected = new AbortController();
  const { signal } = clientDisconnected;
  const request = toRequest(nodeRequest, req, signal);
  nodeResponse.on("close", () => {
    // The condition on `request` keeps it in memory: the signal of a request that is collected as garbage never aborts.
    if (request !== undefined && !isFullySent(nodeResponse)) clientDisconnected.abort();
  });
  const response = await respond(request, handler);
  await sendResponse(response, nodeResponse, signal, ":method" in nodeRequest.headers);
}

const isFullySent = ({ writableFinished, writableEnded = true }: NodeResponse) => writableFinished && writableEnded;

async function respond(request: Request | undefined, handler: Handler): Promise<Response> {
  try {
    if (request === undefined) return new Response(null, { status: 400 });
    const response: Partial<Response> | undefined = await handler(request);
    // Not `instanceof Response`: the class of another realm is accepted.
    if (typeof response?.headers?.get === "function") return response as Response;
    throw new ConfigurationError({ message: "toNodeListener: the handler returned no Response" });
  } catch (error) {
    logToConsole(error);
    return new Response(null, { status: 500 });
  }
}

/** `undefined` if a `Request` cannot represent it: a TRACE, or an invalid `Host`. */
function toRequest(req: NodeRequest, parsed: ParsedBodies, signal: AbortSignal): Request | undefined {
  const method = req.method ?? "GET";
  try {
    const headers = new Headers();
    for (const [name, value] of Object.entries(req.headers)) {
      // The names of HTTP/2's own fields begin with a colon.
      if (name.startsWith(":")) continue;
      for (const headerValue of [value ?? []].flat()) headers.append(name, headerValue);
    }
    const body = method === "GET" || method === "HEAD" ? null : requestBody(req, parsed);
    // `duplex` is needed with a stream, and missing in TypeScript's DOM.
    const init: RequestInit & { duplex: "half" } = { method, headers, signal, body, duplex: "half" };
    return new Request(urlOf(req), init);
  } catch {
    return undefined;
  }
}

/** No characters that begin a path, a query or credentials. */
const HOST_HEADER = /^(?:[a-z\d._-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/** The scheme and host in a request line that contains a whole URL: only the path and query are used. */
const ABSOLUTE_FORM = /^https?:\/\/[^/?#]*/i;

/** @throws if `Host` is not a host. */
function urlOf({ url = "/", originalUrl = url, headers }: NodeRequest): string {
  const host = headers.host ?? headers[":authority"] ?? "localhost";
  if (typeof host !== "string" || !HOST_HEADER.test(host)) throw new Error("Host is not a host");
  const target = originalUrl.replace(ABSOLUTE_FORM, "");
  return `http://${host}${target.startsWith("/") ? target : `/${target.startsWith("?") ? target : ""}`}`;
}

/** Fastify keeps the results of its parsers beside Node's request. */
type ParsedBodies = Pick<NodeRequest, "body" | "rawBody">;

function requestBody(
  req: NodeRequest,
  { rawBody, body }: ParsedBodies,
): Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> {
  const raw = [rawBody, body, req.rawBody].find(isRawBody);
  return raw === undefined ? requestStream(req) : rawBytes(raw);
}

/** Reading starts at the first pull. After a cancellation the rest is drained, so that the connection can be reused. */
function requestStream(req: NodeRequest): ReadableStream<Uint8Array> {
  let state: "untouched" | "open" | "ended" = "untouched";

  function open(controller: ReadableStreamDefaultController<Uint8Array>): void {
    // For example by a body parser that runs before the receiver.
    if (req.readableDidRead) {
      controller.error(parsedBodyError());
      return;
    }
    state = "open";
    const once = (settle: () => void) => () => {
      if (state === "open") settle();
      state = "ended";
    };
    const breakOff = once(() => controller.error(new Error("aborted")));
    req.on("data", (chunk) => {
      if (state !== "open") return;
      controller.enqueue(chunk as Uint8Array);
      req.pause();
    });
    req.on(
      "end",
      once(() => controller.close()),
    );
    req.on("close", breakOff);
    if (req.destroyed) breakOff();
  }

  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (state === "untouched") open(controller);
        req.resume();
      },
      cancel() {
        state = "ended";
        req.resume();
      },
    },
    { highWaterMark: 0 },
  );
}

async function sendResponse(
  response: Response,
  res: NodeResponse,
  signal: AbortSignal,
  isHttp2: boolean,
): Promise<void> {
  if (response.type === "error") return void res.destroy();
  // An incomplete body must not look complete. Node sends what was written before in the next turn of the event loop.
  const breakOff = () => void setTimeout(() => res.destroy());
  try {
    res.statusCode = response.status;
    for (const [name, value] of response.headers) {
      // HTTP/2 has no such header, and Node would warn of it.
      if (name === "connection" && isHttp2) continue;
      if (name === "set-cookie") res.appendHeader(name, value);
      else res.setHeader(name, value);
    }
    if (response.body !== null) await writeBody(response.body, res, signal, breakOff);
    res.end();
  } catch {
    breakOff();
  }
}

/** @param onBroken - Called if `body` fails, even while the client is not reading. */
async function writeBody(
  body: ReadableStream<Uint8Array>,
  res: NodeResponse,
  signal: AbortSignal,
  onBroken: () => void,
): Promise<void> {
  let writable = () => {};
  res.on("drain", () => writable());
  signal.addEventListener("abort", () => writable());
  for await (const chunk of readChunks(body, signal, onBroken)) {
    if (res.write(chunk)) continue;
    await new Promise<void>((resolve) => {
      writable = resolve;
    });
  }
}
