import { throwIfAborted } from "../async/abort.js";
import { isWebStream } from "../async/byte-reader.js";
import { noStore } from "../async/no-store.js";
import { orUndefined } from "../json/or-undefined.js";
import { UPLOAD_PROGRESS, type UploadProgressInit } from "../upload-progress.js";
import { type Attempt, connectionError } from "./checked-call.js";
import { type FetchInit, redirectMode } from "./fetch.js";
import type { BodyContent } from "./operation.js";

export async function sendRequest(attempt: Attempt): Promise<Response> {
  const { call, authorization, limit, streamBody } = attempt;
  attempt.secrets.add(attempt.token);
  const headers: Record<string, string> = { ...call.headers, authorization };
  const body = streamBody ? await streamBody.open() : call.json;
  throwIfAborted(limit.signal);
  // Browsers set this header themselves and ignore the value given here.
  if (streamBody?.size !== undefined) headers["content-length"] = String(streamBody.size);
  const init = initOf(call.operation.method, headers, body, attempt);
  const isWrapped = call.config.middleware.length > 0;
  const response = await (isWrapped ? sendWithMiddleware(init, attempt) : callFetch(call.url, init, attempt));
  // `fetch` returned nothing, another object, or `Response.error()`. A redirect that was not followed is a response,
  // although its status is 0.
  if (!(response?.status && response.headers?.get) && response?.type !== "opaqueredirect") {
    throw connectionError(attempt, new TypeError("fetch returned no response"));
  }
  return response;
}

function initOf(
  method: string,
  headers: Record<string, string>,
  body: BodyContent | undefined,
  { call: { operation, fetchOptions }, limit: { signal }, streamBody }: Attempt,
): FetchInit {
  const init: FetchInit & UploadProgressInit & { keepalive?: unknown; next?: unknown } = {
    ...fetchOptions,
    method,
    headers,
    redirect: redirectMode(),
    signal,
  };
  // If a reused connection closes without a response, Bun sends a PUT or DELETE again by itself.
  if (operation.retry === "unrepeatable") init.keepalive ??= false;
  // Next.js 13 and 14 cache every response on disk, that of a POST too. `next` would say for how long.
  if (operation.isFresh || method !== "GET") {
    Object.assign(init, noStore());
    delete init.next;
  }
  if (body === undefined) return init;
  init.body = body;
  if (streamBody !== undefined) init[UPLOAD_PROGRESS] = (sentBytes) => streamBody.onSent(sentBytes);
  if (typeof body !== "string") init.duplex = "half";
  return init;
}

function sendWithMiddleware(init: FetchInit, attempt: Attempt): Promise<Response> {
  const { call, number } = attempt;
  const { config, operation } = call;
  const context = { operation: operation.name, attempt: number, signal: init.signal };
  const original = new Request(call.url, init);
  const send = async (request: Request): Promise<Response> => {
    const headers = Object.fromEntries(request.headers);
    const body = await bodyToSend(request, original, init.body, attempt);
    return callFetch(request.url, initOf(request.method, headers, body, attempt), attempt);
  };
  const run = config.middleware.reduceRight<typeof send>(
    (next, step) => async (request) => step(request, next, context),
    send,
  );
  return run(original);
}

/** A middleware may have replaced the body. */
async function bodyToSend(
  request: Request,
  original: Request,
  body: BodyContent | undefined,
  { streamBody }: Attempt,
): Promise<BodyContent | undefined> {
  if (request === original && !request.bodyUsed && !isWebStream(body)) return body;
  if (request.method === "GET" || request.method === "HEAD") return undefined;
  if (isWebStream(body) && request.body) return request.body;
  // The body of an upload is a stream only if the runtime can send one: browsers cannot.
  if (streamBody !== undefined) return request.blob();
  const bytes = await request.arrayBuffer();
  return bytes.byteLength === 0 ? undefined : bytes;
}

async function callFetch(url: string, init: FetchInit, attempt: Attempt): Promise<Response> {
  const { call, secrets } = attempt;
  const { config } = call;
  // A middleware may have set another token than the client's.
  const credentials = init.headers.authorization?.replace(/^\S+\s+/, "");
  if (credentials !== undefined) secrets.add(credentials);
  // The global `fetch` is read for each request, because frameworks and tests replace it.
  const fetch = config.fetch ?? globalThis.fetch;
  try {
    // The result may be of another class than `Response`. It has the members that are used here.
    return (await fetch(url, init)) as Response;
  } catch (error) {
    throwIfAborted(init.signal);
    throw connectionError(attempt, error, config.fetch === undefined && !isAccepted(url, init));
  }
}

/** If not, `fetch` refused it and sent nothing: the messages for a wrong `cache` differ between runtimes. */
const isAccepted = (url: string, { body: _, duplex: __, ...init }: FetchInit): boolean =>
  orUndefined(() => new Request(url, init)) !== undefined;
