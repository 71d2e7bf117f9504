/** Serves a `Request → Response` handler from `node:http` and the frameworks on it, without importing either. */
import { isRawBody, parsedBody, rawBytes } from "./raw-body.js";

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
  off(event: string, listener: (...values: unknown[]) => void): unknown;
  pause(): unknown;
  resume(): unknown;
}

/** What is used of Node's `ServerResponse`. */
export interface NodeResponse {
  statusCode: number;
  readonly writableFinished: boolean;
  readonly destroyed: boolean;
  setHeader(name: string, value: string | readonly string[]): unknown;
  write(chunk: Uint8Array): boolean;
  end(): unknown;
  destroy(): unknown;
  once(event: string, listener: () => void): unknown;
  off(event: string, listener: () => void): unknown;
}

/**
 * A listener for `http.createServer`, or for a route of Express, Connect or a Next.js `pages/api` file. The body is streamed,
 * not gathered; the response is too, at the speed of its reader. `request.signal` aborts when the client goes away.
 *
 * The promise settles when the whole response has been handed over, and never rejects.
 *
 * @example
 * http.createServer(toNodeListener(receiver.handle)).listen(3000);
 * @example
 * app.post("/webhooks", toNodeListener(receiver.handle)); // Express, ahead of express.json()
 */
export function toNodeListener(
  handler: (request: Request) => Response | Promise<Response>,
): (req: NodeRequest, res: NodeResponse) => Promise<void> {
  return async (req, res) => {
    const gone = new AbortController();
    res.once("close", () => {
      if (!res.writableFinished) gone.abort(new Error("the client went away"));
    });
    const request = toRequest(req, gone.signal);
    if (request === undefined) return void end(res, 400);
    let response: Response;
    try {
      response = await handler(request);
    } catch (error) {
      console.error("notetaker-sdk toNodeListener:", error);
      return void end(res, 500);
    }
    // A body that fails takes the connection with it: what was sent of it must not look whole.
    await send(response, res, gone.signal).catch(() => res.destroy());
  };
}

function end(res: NodeResponse, status: number): void {
  res.statusCode = status;
  res.end();
}

/** The request, unless it is one that fetch has no form for: a TRACE, say. */
function toRequest(req: NodeRequest, signal: AbortSignal): Request | undefined {
  const method = req.method ?? "GET";
  try {
    const headers = new Headers();
    for (const [name, value] of Object.entries(req.headers)) {
      if (name.startsWith(":")) continue; // HTTP/2's own
      for (const one of [value ?? []].flat()) headers.append(name, one);
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
  const target = originalUrl.startsWith("/") ? originalUrl : "/";
  const absolute = `http://${headers.host ?? "localhost"}${target}`;
  return URL.canParse(absolute) ? absolute : `http://localhost${target}`;
}

function bodyOf(req: NodeRequest): Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> {
  const raw = [req.rawBody, req.body].find(isRawBody);
  if (raw !== undefined) return rawBytes(raw);
  return req.readableDidRead ? alreadyRead(req.body) : streamOf(req);
}

/** Tells whoever reads it that the body is gone: to the receiver, a mistake in how it is set up. */
const alreadyRead = (body: unknown) =>
  new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.error(
        parsedBody(body === undefined ? "a request whose body has been read" : "a body that was parsed"),
      );
    },
  });

/** The request's own stream, untouched until it is read. What is not wanted of it is drained: the connection is used again. */
function streamOf(req: NodeRequest): ReadableStream<Uint8Array> {
  let stop: (() => void) | undefined;

  function start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    const fail = () => {
      stop?.();
      controller.error(new Error("the client went away before its body was whole"));
    };
    const listeners = {
      data: (chunk: unknown) => {
        controller.enqueue(chunk as Uint8Array);
        req.pause();
      },
      end: () => {
        stop?.();
        controller.close();
      },
      error: fail,
      close: fail,
    };
    stop = () => {
      for (const [event, listener] of Object.entries(listeners)) req.off(event, listener);
    };
    for (const [event, listener] of Object.entries(listeners)) req.on(event, listener);
    if (req.destroyed) fail();
  }

  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (stop === undefined) start(controller);
        req.resume();
      },
      cancel() {
        stop?.();
        req.resume();
      },
    },
    { highWaterMark: 0 },
  );
}

async function send(response: Response, res: NodeResponse, gone: AbortSignal): Promise<void> {
  res.statusCode = response.status;
  for (const [name, value] of response.headers) if (name !== "set-cookie") res.setHeader(name, value);
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) res.setHeader("set-cookie", cookies);
  if (response.body === null) return void res.end();

  const reader = response.body.getReader();
  // Also while the client is not reading.
  reader.closed.catch(() => res.destroy());
  gone.addEventListener("abort", () => void reader.cancel(gone.reason).catch(() => {}));
  if (gone.aborted) return void (await reader.cancel(gone.reason));
  for (;;) {
    const { done, value } = await reader.read();
    if (done || res.destroyed) break;
    if (!res.write(value)) await drained(res);
  }
  if (!res.destroyed) res.end();
}

function drained(res: NodeResponse): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      res.off("drain", settle);
      res.off("close", settle);
      resolve();
    };
    res.once("drain", settle);
    res.once("close", settle);
  });
}
