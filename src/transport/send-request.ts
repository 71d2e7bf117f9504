/** Sends one request: the middleware sees it as a `Request`, and `fetch` gets its URL and an init. */
import { UPLOAD_PROGRESS, type UploadProgressInit } from "../upload-progress.js";
import type { CallSecrets } from "./call-secrets.js";
import type { Fetch, FetchInit } from "./fetch.js";
import type { Middleware, MiddlewareContext } from "./middleware.js";
import type { BodyContent } from "./operation.js";
import type { PreparedCall } from "./prepare.js";
import { redirectMode } from "./redirect-mode.js";
import { refuseAsText } from "./refuse-as-text.js";

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

export async function sendRequest(context: SendContext): Promise<Response> {
  const { call, token, middleware } = context;
  const headers: Record<string, string> = { ...call.headers, authorization: `Bearer ${token}` };
  const body = await context.openBody();
  // Browsers set the length by themselves and ignore this.
  if (call.streamBody?.size !== undefined) headers["content-length"] = String(call.streamBody.size);
  const init = initOf(call.operation.method, headers, body, context);
  const response =
    middleware.length === 0 ? await callFetch(call.url, init, context) : await sendWithMiddleware(init, context);
  if (isMissing(response)) throw context.toConnectionError(new TypeError("fetch returned no response"));
  return response;
}

function initOf(
  method: string,
  headers: Record<string, string>,
  body: BodyContent | undefined,
  { call, signal }: SendContext,
): FetchInit {
  const init: FetchInit & UploadProgressInit = {
    ...call.fetchOptions,
    method,
    headers,
    redirect: redirectMode(),
    signal,
  };
  if (body === undefined) return init;
  init.body = body;
  const { streamBody } = call;
  if (streamBody !== undefined) init[UPLOAD_PROGRESS] = (sentBytes) => streamBody.onSent(sentBytes);
  if (typeof body !== "string") init.duplex = "half";
  return init;
}

/** The first middleware is the outermost. What one throws is the user's own and passes unchanged. */
function sendWithMiddleware(init: FetchInit, context: SendContext): Promise<Response> {
  const { call, middleware, operation, attempt, signal } = context;
  const original = new Request(call.url, init);
  const send = async (request: Request): Promise<Response> => {
    const headers = Object.fromEntries(request.headers);
    const body = await bodyOf(request, original, init.body ?? undefined, context);
    return callFetch(request.url, initOf(request.method, headers, body, context), context);
  };
  const run = middleware.reduceRight<typeof send>(
    (next, step) => async (request) => step(request, next, { operation, attempt, signal }),
    send,
  );
  return run(original);
}

/** The body of the request that the middleware passed on, which may be another than the one that it got. */
async function bodyOf(
  request: Request,
  original: Request,
  body: BodyContent | undefined,
  { call }: SendContext,
): Promise<BodyContent | undefined> {
  if (request === original && !request.bodyUsed && !isStream(body)) return body;
  if (request.method === "GET" || request.method === "HEAD") return undefined;
  if (isStream(body) && request.body) return request.body;
  // The body of an upload is a stream only if the runtime can send one: browsers cannot.
  if (call.streamBody !== undefined) return request.blob();
  const bytes = await request.arrayBuffer();
  return bytes.byteLength === 0 ? undefined : bytes;
}

const isStream = (body: RequestInit["body"]): body is ReadableStream =>
  typeof body === "object" && body !== null && "getReader" in body;

async function callFetch(url: string, init: FetchInit, context: SendContext): Promise<Response> {
  context.secrets.addAuthorization(init.headers.authorization);
  // The global one as it is now: frameworks and tests replace it.
  const fetch = context.fetch ?? globalThis.fetch;
  try {
    // What it returns has the members of a response that are used here, whatever its class.
    return (await (context.fetch ? fetchInMemoryIfNeeded(fetch, url, init, context) : fetch(url, init))) as Response;
  } catch (error) {
    throw context.signal.aborted ? context.signal.reason : context.toConnectionError(error);
  }
}

/** A `fetch` that cannot send a stream gets the body in memory. It has sent nothing before. */
async function fetchInMemoryIfNeeded(fetch: Fetch, url: string, init: FetchInit, { call }: SendContext) {
  const { body } = init;
  if (!isStream(body) || call.streamBody === undefined) return fetch(url, init);
  const wasSentAsText = refuseAsText(body);
  try {
    return await fetch(url, init);
  } catch (error) {
    if (!wasSentAsText()) throw error;
    return fetch(url, { ...init, body: await call.streamBody.gather(body) });
  }
}

/** Nothing at all, or `Response.error()`. A redirect that was not followed has no status either. */
function isMissing(response: Response | null | undefined): boolean {
  if (response === undefined || response === null) return true;
  return !response.status && response.type !== "opaqueredirect";
}
