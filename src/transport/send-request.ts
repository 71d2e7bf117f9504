/** Sends one request: the middleware sees it as a `Request`, and `fetch` gets its URL and an init. */
import { UPLOAD_PROGRESS, type UploadProgressInit } from "../upload-progress.js";
import type { RunningAttempt } from "./attempt-context.js";
import { isWebStream } from "./byte-reader.js";
import type { Fetch, FetchInit } from "./fetch.js";
import type { BodyContent } from "./operation.js";
import { redirectMode } from "./redirect-mode.js";
import { refuseAsText } from "./refuse-as-text.js";

export async function sendRequest(running: RunningAttempt): Promise<Response> {
  const { call, token, config, limit, toConnectionError } = running;
  const { streamBody } = call;
  const headers: Record<string, string> = { ...call.headers, authorization: `Bearer ${token}` };
  const usesPlatformFetch = config.fetch === undefined;
  const body = streamBody
    ? await streamBody.open({ ...limit, connectionError: toConnectionError, usesPlatformFetch })
    : call.json;
  // Browsers set this header themselves and ignore the value given here.
  if (streamBody?.size !== undefined) headers["content-length"] = String(streamBody.size);
  const init = initOf(call.operation.method, headers, body, running);
  const isWrapped = config.middleware.length > 0;
  const response = await (isWrapped ? sendWithMiddleware(init, running) : callFetch(call.url, init, running));
  // `fetch` returned nothing, another object, or `Response.error()`. A redirect that was not followed is a response,
  // although its status is 0.
  if (!(response?.status && response.headers?.get) && response?.type !== "opaqueredirect") {
    throw toConnectionError(new TypeError("fetch returned no response"));
  }
  return response;
}

function initOf(
  method: string,
  headers: Record<string, string>,
  body: BodyContent | undefined,
  { call, limit }: RunningAttempt,
): FetchInit {
  const init: FetchInit & UploadProgressInit & { keepalive?: unknown } = {
    ...call.fetchOptions,
    method,
    headers,
    redirect: redirectMode(),
    signal: limit.signal,
  };
  // If a reused connection closes without a response, Bun sends a PUT or DELETE again by itself.
  if (call.operation.retry === "unrepeatable") init.keepalive ??= false;
  if (body === undefined) return init;
  init.body = body;
  const { streamBody } = call;
  if (streamBody !== undefined) init[UPLOAD_PROGRESS] = (sentBytes) => streamBody.onSent(sentBytes);
  if (typeof body !== "string") init.duplex = "half";
  return init;
}

/** The first middleware is the outermost. An error that a middleware throws is rethrown unchanged. */
function sendWithMiddleware(init: FetchInit, running: RunningAttempt): Promise<Response> {
  const { call, config, attempt, limit } = running;
  const context = { operation: call.operation.operation, attempt, signal: limit.signal };
  const original = new Request(call.url, init);
  const send = async (request: Request): Promise<Response> => {
    const headers = Object.fromEntries(request.headers);
    const body = await bodyOf(request, original, init.body, running);
    return callFetch(request.url, initOf(request.method, headers, body, running), running);
  };
  const run = config.middleware.reduceRight<typeof send>(
    (next, step) => async (request) => step(request, next, context),
    send,
  );
  return run(original);
}

/** The body of the request that the last middleware passed to `next`. A middleware may have replaced the body. */
async function bodyOf(
  request: Request,
  original: Request,
  body: BodyContent | undefined,
  { call }: RunningAttempt,
): Promise<BodyContent | undefined> {
  if (request === original && !request.bodyUsed && !isWebStream(body)) return body;
  if (request.method === "GET" || request.method === "HEAD") return undefined;
  if (isWebStream(body) && request.body) return request.body;
  // The body of an upload is a stream only if the runtime can send one: browsers cannot.
  if (call.streamBody !== undefined) return request.blob();
  const bytes = await request.arrayBuffer();
  return bytes.byteLength === 0 ? undefined : bytes;
}

async function callFetch(url: string, init: FetchInit, running: RunningAttempt): Promise<Response> {
  const { config, limit, secrets } = running;
  // A middleware may have set another token than the client's.
  const credentials = init.headers.authorization?.replace(/^\S+\s+/, "");
  if (credentials !== undefined) secrets.add(credentials);
  // The global `fetch` is read for each request, because frameworks and tests replace it.
  const fetch = config.fetch ?? globalThis.fetch;
  try {
    // The result may be of another class than `Response`. It has the members that are used here.
    return (await (config.fetch ? fetchInMemoryIfNeeded(fetch, url, init, running) : fetch(url, init))) as Response;
  } catch (error) {
    throw limit.signal.aborted ? limit.signal.reason : running.toConnectionError(error);
  }
}

/**
 * If `fetch` tries to send the stream as a text, calls it again with the whole body in memory. The first call of
 * `fetch` has sent nothing.
 */
async function fetchInMemoryIfNeeded(fetch: Fetch, url: string, init: FetchInit, { call }: RunningAttempt) {
  const { body } = init;
  if (!isWebStream(body) || call.streamBody === undefined) return fetch(url, init);
  const wasRefused = refuseAsText(body);
  try {
    return await fetch(url, init);
  } catch (error) {
    if (!wasRefused()) throw error;
    return fetch(url, { ...init, body: await call.streamBody.gather(body) });
  }
}
