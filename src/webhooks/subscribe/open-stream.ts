/** Opens a stream of events and interprets the response. After an error that is `retryable`, the next try may succeed. */
import { abortable } from "../../async/abortable.js";
import { ApiError, type RequestSummary } from "../../errors/api-error.js";
import { ConnectionError } from "../../errors/connection-error.js";
import { isErrorLike } from "../../errors/error-like.js";
import { ForbiddenError } from "../../errors/forbidden-error.js";
import { isTemporaryStatus } from "../../errors/is-temporary.js";
import { UnauthorizedError } from "../../errors/unauthorized-error.js";
import { WebhookVerificationError } from "../../errors/webhook-verification-error.js";
import { lastEventIdHeader } from "./last-event-id-header.js";

/** What `fetch` accepts as headers. */
export type HeadersInput = NonNullable<RequestInit["headers"]>;

/** The part of `fetch` that is used: other implementations have it, too. */
export type SubscribeFetch = (address: string, init: RequestInit) => Promise<Response>;

/** The request as errors show it: without the query, which may carry a token. */
const requestSummary = (url: URL): RequestSummary => ({ method: "GET", url: url.origin + url.pathname });

export const streamConnectionError = (url: URL, what: string, cause?: unknown): ConnectionError =>
  new ConnectionError(`GET ${url.pathname} ${what}`, {
    cause: causeWithoutSecrets(cause),
    request: requestSummary(url),
    retryable: true,
  });

/** The code of the system error below an error of `fetch`, for example `ECONNREFUSED`. */
const codeOf = (error: unknown): string | undefined =>
  isErrorLike(error) && typeof error.code === "string" && /^[A-Z][A-Z0-9_]{1,40}$/.test(error.code)
    ? error.code
    : undefined;

/** A cause by its name and code. Its message may quote the URL or a header, and both may carry a token. */
function causeWithoutSecrets(cause: unknown): Error | undefined {
  if (!isErrorLike(cause)) return undefined;
  const code = codeOf(cause) ?? codeOf(cause.cause);
  const name = /^\w{1,60}$/.test(cause.name) ? cause.name : "Error";
  const copy = new Error(code ?? "the connection failed");
  copy.name = name;
  return code === undefined ? copy : Object.assign(copy, { code });
}

/** `text/event-stream` as a media type: in any case, with any parameters. */
const isEventStream = (contentType: string | null): boolean =>
  contentType?.split(";", 1)[0]?.trim().toLowerCase() === "text/event-stream";

/** A stored response would bring old events again. Some runtimes refuse the option: they have no cache either. */
const cacheOption = (): RequestInit => ("cache" in Request.prototype ? { cache: "no-store" } : {});

/** Cancels a body that is not read. It does not matter how that ends. */
const discard = (body: ReadableStream<Uint8Array> | null): void => void body?.cancel().catch(() => {});

export interface StreamRequest {
  url: URL;
  headers: HeadersInput | undefined;
  lastEventId: string | undefined;
  fetch: SubscribeFetch;
  signal: AbortSignal;
}

/** The body of the stream, or `undefined` if the server has no more to send (204). */
export async function openStream(request: StreamRequest): Promise<ReadableStream<Uint8Array> | undefined> {
  const { url, signal } = request;
  const response = await sendRequest(request);
  if (signal.aborted) {
    discard(response.body);
    throw signal.reason;
  }
  const { status, body } = response;
  if (status === 204) return undefined;
  if (status === 200 && body !== null && isEventStream(response.headers.get("content-type"))) return body;
  discard(body);
  const summary = `GET ${url.pathname} responded ${status}`;
  if (response.ok) throw new WebhookVerificationError("not_an_event", `${summary} without text/event-stream`);
  throw statusError(url, summary, response);
}

async function sendRequest({ url, headers: input, lastEventId, fetch, signal }: StreamRequest): Promise<Response> {
  const headers = new Headers(input);
  headers.set("accept", "text/event-stream");
  const position = lastEventIdHeader(lastEventId);
  if (position !== undefined) headers.set("last-event-id", position);
  const init: RequestInit = { headers, signal, redirect: "manual", ...cacheOption() };
  let responding: Promise<Response> | undefined;
  try {
    responding = fetch(url.href, init);
    return await abortable(responding, signal);
  } catch (cause) {
    // A response that still comes is not read.
    responding?.then(({ body }) => discard(body)).catch(() => {});
    if (signal.aborted) throw signal.reason;
    throw streamConnectionError(url, "got no response", cause);
  }
}

const ERROR_BY_STATUS: Readonly<Record<number, typeof ApiError>> = { 401: UnauthorizedError, 403: ForbiddenError };

/** The error of a status. What a server says beside the status is not read. */
function statusError(url: URL, summary: string, { status, headers }: Response): ApiError {
  const ErrorOfStatus = ERROR_BY_STATUS[status] ?? ApiError;
  return new ErrorOfStatus(summary, {
    // In a browser, a redirect that is not followed has the status 0.
    status,
    headers,
    code: undefined,
    details: undefined,
    body: undefined,
    rateLimit: undefined,
    request: requestSummary(url),
    retryable: status === 408 || isTemporaryStatus(status),
  });
}
