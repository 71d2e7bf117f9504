/** Serves a `Request → Response` handler from `node:http` and the frameworks on it, without importing either. */
import { ConfigurationError } from "../../errors/configuration-error.js";
import { isRawBody, parsedBodyError, rawBytes } from "./raw-body.js";
import { readChunks } from "./read-chunks.js";
import { logToConsole } from "./report-error.js";

/** What is used of Node's `IncomingMessage`, and of what frameworks add to it. */
export interface NodeRequest {
  method?: string | undefined;
  url?: string | undefined;
  /** Express: the URL before a router took its prefix off. */
  originalUrl?: string | undefined;
  headers: Record<string, string | string[] | undefined>;
  /** Express, Next.js: what a body parser made of the body. Taken when it is raw. */
  body?: unknown;
  /** NestJS, Google Cloud Functions, Firebase: the raw body beside the parsed one. */
  rawBody?: unknown;
  /** Whether somebody has read from the stream. */
  readableDidRead?: boolean | undefined;
  destroyed?: boolean | undefined;
  on(event: string, listener: (...values: unknown[]) => void): unknown;
  pause(): unknown;
  resume(): unknown;
}

/** What is used of Node's `ServerResponse`. */
export interface NodeResponse {
  statusCode: number;
  readonly writableFinished: boolean;
  setHeader(name: string, value: string): unknown;
  appendHeader(name: string, value: string): unknown;
  write(chunk: Uint8Array): boolean;
  end(): unknown;
  destroy(): unknown;
  on(event: string, listener: () => void): unknown;
}

type Handler = (request: Request) => Response | Promise<Response>;

/**
 * A listener for `http.createServer`, or for a route of Express, Connect or a Next.js `pages/api` file. The body is
 * streamed, not gathered; the response is too, at the speed of its reader. `request.signal` aborts when the client goes
 * away.
 *
 * The promise settles when the whole response has been handed over, and never rejects.
 *
 * @throws {@link ConfigurationError} for what is no function: the receiver itself, say, and not its `handle`.
 * @example
 * http.createServer(toNodeListener(receiver.handle)).listen(3000);
 * @example
 * app.post("/webhooks", toNodeListener(receiver.handle)); // Express, ahead of express.json()
 */
export function toNodeListener(handler: Handler): (req: NodeRequest, res: NodeResponse) => Promise<void> {
  if (typeof handler !== "function")
    throw new ConfigurationError("toNodeListener: expected a function, such as handle");
  return async (req, res) => {
    const gone = new AbortController();
    res.on("close", () => res.writableFinished || gone.abort());
    const response = await respond(req, gone.signal, handler);
    // A body that fails takes the connection with it: what was sent of it must not look whole.
    await send(response, res, gone.signal).catch(() => res.destroy());
  };
}

async function respond(req: NodeRequest, gone: AbortSignal, handler: Handler): Promise<Response> {
  const request = toRequest(req, gone);
  try {
    return request ? await handler(request) : new Response(null, { status: 400 });
  } catch (error) {
    logToConsole(error);
    return new Response(null, { status: 500 });
  }
}

/** The request, unless it is one that fetch has no form for: a TRACE, say. */
function toRequest(req: NodeRequest, signal: AbortSignal): Request | undefined {
  const method = req.method ?? "GET";
  try {
    const headers = new Headers();
    for (const [name, value] of Object.entries(req.headers)) {
      // HTTP/2's own begin with a colon.
      if (!name.startsWith(":")) for (const one of [value ?? []].flat()) headers.append(name, one);
    }
    const body = method === "GET" || method === "HEAD" ? null : bodyOf(req);
    // `duplex` is needed with a stream, and missing in TypeScript's DOM.
    const init: RequestInit & { duplex: "half" } = { method, headers, signal, body, duplex: "half" };
    return new Request(urlOf(req), init);
  } catch {
    return undefined;
  }
}

/** The URL as the client asked for it. A host that is no host (anybody can send one) is not worth an error. */
function urlOf({ url = "/", originalUrl = url, headers }: NodeRequest): string {
  const origin = `http://${headers.host ?? "localhost"}`;
  return (URL.canParse(origin) ? origin : "http://localhost") + (originalUrl.startsWith("/") ? originalUrl : "/");
}

function bodyOf(req: NodeRequest): Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> {
  const raw = [req.rawBody, req.body].find(isRawBody);
  return raw === undefined ? streamOf(req) : rawBytes(raw);
}

/** The request's stream, untouched until it is read. What is not wanted is drained: the connection is used again. */
function streamOf(req: NodeRequest): ReadableStream<Uint8Array> {
  let state: "untouched" | "open" | "ended" = "untouched";

  function open(controller: ReadableStreamDefaultController<Uint8Array>): void {
    // To the receiver, a mistake in how it is set up.
    if (req.readableDidRead) {
      controller.error(parsedBodyError());
      return;
    }
    state = "open";
    const once = (settle: () => void) => () => {
      if (state === "open") settle();
      state = "ended";
    };
    const broken = once(() => controller.error(new Error("aborted")));
    req.on("data", (chunk) => {
      if (state !== "open") return;
      controller.enqueue(chunk as Uint8Array);
      req.pause();
    });
    req.on(
      "end",
      once(() => controller.close()),
    );
    req.on("close", broken);
    if (req.destroyed) broken();
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

async function send(response: Response, res: NodeResponse, gone: AbortSignal): Promise<void> {
  res.statusCode = response.status;
  for (const [name, value] of response.headers) {
    if (name === "set-cookie") res.appendHeader(name, value);
    else res.setHeader(name, value);
  }
  if (response.body === null) return void res.end();

  let writable = () => {};
  res.on("drain", () => writable());
  gone.addEventListener("abort", () => writable());
  // A body may fail while the client is not reading.
  for await (const chunk of readChunks(response.body, gone, () => res.destroy())) {
    if (res.write(chunk)) continue;
    await new Promise<void>((resolve) => {
      writable = resolve;
    });
  }
  res.end();
}
