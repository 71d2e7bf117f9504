/** Sends one request: ky builds it, the middleware wraps it, and `fetch` gets its URL and an init. */
import ky from "ky";
import type { Fetch, Middleware, MiddlewareContext } from "../options.js";
import type { CallSecrets } from "./call-secrets.js";
import type { BodyContent } from "./operation.js";
import type { PreparedCall } from "./prepare.js";
import { redirectMode } from "./redirect-mode.js";

export interface SendContext extends MiddlewareContext {
  readonly call: PreparedCall;
  readonly token: string;
  readonly fetch: Fetch | undefined;
  readonly middleware: readonly Middleware[];
  readonly secrets: CallSecrets;
  /** Opens the body for this attempt; `undefined` if the request has none. */
  openBody(): BodyContent | undefined | Promise<BodyContent | undefined>;
  /** The error for what `fetch` threw, or for what it returned instead of a response. */
  toConnectionError(cause: unknown): unknown;
}

type Send = (request: Request) => Promise<Response>;

export async function sendRequest(context: SendContext): Promise<Response> {
  const { call, token, middleware } = context;
  const send: Send = async (bodiless) => {
    const body = await context.openBody();
    if (middleware.length === 0) return callFetch(call.url, initOf(bodiless, body, context), context);
    const request = withBody(bodiless, body, context);
    return runMiddleware(request, middleware, context, async (changed) =>
      callFetch(changed.url, initOf(changed, await bodyOf(changed, request, body, context), context), context),
    );
  };
  // One request: retries, time limits and errors are ours. ky gets no body and no signal: it would copy the first, and
  // needs `AbortSignal.any` for the second, which some runtimes lack.
  return ky(call.url, {
    method: call.operation.method,
    headers: { ...call.headers, authorization: `Bearer ${token}` },
    redirect: redirectMode(),
    retry: 0,
    timeout: false,
    throwHttpErrors: false,
    async fetch(bodiless) {
      const response = await send(bodiless as Request);
      if (isMissing(response)) throw context.toConnectionError(new TypeError("fetch returned no response"));
      return response;
    },
  });
}

/** The first middleware is the outermost. What one throws is the user's own and passes unchanged. */
function runMiddleware(
  request: Request,
  middleware: readonly Middleware[],
  { operation, attempt, signal }: MiddlewareContext,
  last: Send,
): Promise<Response> {
  const run = middleware.reduceRight<Send>(
    (next, step) => async (current) => step(current, next, { operation, attempt, signal }),
    last,
  );
  return run(request);
}

async function callFetch(url: string, init: RequestInit, context: SendContext): Promise<Response> {
  context.secrets.addAuthorization((init.headers as Record<string, string>).authorization);
  // The global one as it is now: frameworks and tests replace it.
  const fetch = context.fetch ?? globalThis.fetch;
  try {
    const response = await fetch(url, init);
    return (response ?? undefined) as Response;
  } catch (error) {
    throw context.signal.aborted ? context.signal.reason : context.toConnectionError(error);
  }
}

function initOf(request: Request, body: BodyContent | undefined, { call, signal }: SendContext): RequestInit {
  const headers = Object.fromEntries(request.headers);
  const init: RequestInit & { duplex?: "half" } = {
    ...call.fetchOptions,
    method: request.method,
    headers,
    redirect: redirectMode(),
    signal,
  };
  if (body === undefined) return init;
  init.body = body;
  // A body that is a stream needs it; the type does not know it.
  if (typeof body !== "string") init.duplex = "half";
  const size = call.streamBody?.size;
  // Browsers set the length by themselves and ignore this.
  if (size !== undefined) headers["content-length"] ??= String(size);
  return init;
}

/** The request as the middleware sees it. */
function withBody(bodiless: Request, body: BodyContent | undefined, { call, signal }: SendContext): Request {
  const init: RequestInit & { duplex?: "half" } = body === undefined ? { signal } : { signal, body, duplex: "half" };
  const request = new Request(bodiless, init);
  const size = call.streamBody?.size;
  if (size !== undefined) request.headers.set("content-length", String(size));
  return request;
}

/** The body of the request that the middleware passed on, which may be another than it got. */
async function bodyOf(
  changed: Request,
  original: Request,
  body: BodyContent | undefined,
  { call }: SendContext,
): Promise<BodyContent | undefined> {
  if (changed === original && !changed.bodyUsed && typeof body === "string") return body;
  if (changed.method === "GET" || changed.method === "HEAD") return undefined;
  if (call.streamBody !== undefined && changed.body) return changed.body;
  const bytes = await changed.arrayBuffer();
  return bytes.byteLength === 0 ? undefined : bytes;
}

/** Nothing at all, or `Response.error()`. A redirect that was not followed has no status either. */
function isMissing(response: Response | undefined): boolean {
  if (response === undefined || response === null) return true;
  return !response.status && response.type !== "opaqueredirect";
}
