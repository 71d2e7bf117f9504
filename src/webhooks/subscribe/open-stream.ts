/** Opens a stream of events and interprets the response. After a `retryable` error, the next attempt may succeed. */
import { abortable } from "../../async/abort.js";
import { type ByteReader, byteReader, discardBody, isReadable } from "../../async/byte-reader.js";
import { ApiError, ForbiddenError, type RequestSummary, UnauthorizedError } from "../../errors/api-error.js";
import { ConfigurationError } from "../../errors/argument-errors.js";
import { ConnectionError } from "../../errors/call-errors.js";
import { isErrorLike } from "../../errors/error-record.js";
import { isTemporaryStatus } from "../../errors/is-temporary.js";
import { WebhookVerificationError } from "../../errors/webhook-verification-error.js";
import { lastEventIdHeader } from "../http/last-event-id.js";

/** The headers that `fetch` accepts. */
export type HeadersInput = NonNullable<RequestInit["headers"]>;

/** The used part of a response. */
export interface StreamResponse {
  /** The HTTP status. */
  readonly status: number;
  /** Whether the status is a success, 200 to 299. */
  readonly ok: boolean;
  /** The headers. */
  readonly headers: {
    /** The value of a header, or `null` if the response does not have it. */
    get(name: string): string | null;
  };
  /** A stream, or anything that can be iterated: implementations of `fetch` differ. */
  readonly body: unknown;
}

/** The options that `fetch` is called with. */
export interface StreamRequestInit {
  /** Every header, by its name. */
  headers: Record<string, string>;
  /** A new one for each connection. */
  signal: AbortSignal;
  /** Redirects are not followed. */
  redirect: "manual";
  /** No cached response is used. Absent in runtimes that do not support the option. */
  cache?: "no-store";
}

/**
 * Any implementation of `fetch`, including npm's undici and node-fetch: it is called with a URL, never with a
 * `Request`.
 */
export type SubscribeFetch = (url: string, init: StreamRequestInit) => Promise<StreamResponse>;

/** The request as errors show it: without the query, which may carry a token. */
const requestSummary = (url: URL): RequestSummary => ({ method: "GET", url: url.origin + url.pathname });

export function streamConnectionError(url: URL, what: string, failure?: unknown): ConnectionError {
  const cause = causeWithoutSecrets(failure);
  const reason = cause?.code === undefined ? "" : `: ${cause.code}`;
  return new ConnectionError(`GET ${url.pathname} ${what}${reason}`, {
    cause,
    request: requestSummary(url),
    retryable: true,
  });
}

/** The code of an error, if it looks like a system error's, for example `ECONNREFUSED`. */
const codeOf = (error: unknown): string | undefined =>
  isErrorLike(error) && typeof error.code === "string" && /^[A-Z][A-Z0-9_]{1,40}$/.test(error.code)
    ? error.code
    : undefined;

/**
 * A copy of a cause with its name and code only. The message may quote the URL or a header, and both may contain a
 * token.
 */
function causeWithoutSecrets(cause: unknown): (Error & { code?: string }) | undefined {
  if (!isErrorLike(cause)) return undefined;
  const code = codeOf(cause) ?? codeOf(cause.cause);
  const name = /^\w{1,60}$/.test(cause.name) ? cause.name : "Error";
  const copy = new Error(code ?? "the connection failed");
  copy.name = name;
  return code === undefined ? copy : Object.assign(copy, { code });
}

/** Whether the media type is `text/event-stream`, in upper or lower case, with any parameters. */
const isEventStream = (contentType: string | null): boolean =>
  contentType?.split(";", 1)[0]?.trim().toLowerCase() === "text/event-stream";

/** A cached response would repeat old events. Some runtimes refuse the option; those have no cache. */
const cacheOption = (): { cache?: "no-store" } =>
  typeof Request === "function" && "cache" in Request.prototype ? { cache: "no-store" } : {};

export interface StreamRequest {
  url: URL;
  headers: HeadersInput | undefined;
  lastEventId: string | undefined;
  fetch: SubscribeFetch;
  signal: AbortSignal;
}

/** The bytes of the stream, or `undefined` if the server has no more to send (204). */
export async function openStream(request: StreamRequest): Promise<ByteReader | undefined> {
  const { url, signal } = request;
  const response = await sendRequest(request);
  if (signal.aborted) {
    discardBody(response);
    throw signal.reason;
  }
  const { status, body } = response;
  if (status === 204) return undefined;
  const isStream = status === 200 && isEventStream(response.headers.get("content-type"));
  if (isStream && isReadable(body) && !body.locked) return byteReader(body);
  discardBody(response);
  const summary = `GET ${url.pathname} responded ${status}`;
  if (response.ok) throw new WebhookVerificationError("not_an_event", `${summary} without text/event-stream`);
  throw statusError(url, summary, response);
}

/** The headers to send. The runtime's error is not shown, because it quotes the value, which may be a token. */
function headersToSend(input: HeadersInput | undefined, lastEventId: string | undefined): Record<string, string> {
  try {
    const headers = new Headers(input);
    headers.set("accept", "text/event-stream");
    const position = lastEventIdHeader(lastEventId);
    if (position !== undefined) headers.set("last-event-id", position);
    return Object.fromEntries(headers);
  } catch {
    throw new ConfigurationError("subscribe: headers: expected valid HTTP headers");
  }
}

async function sendRequest({ url, headers, lastEventId, fetch, signal }: StreamRequest): Promise<StreamResponse> {
  const init: StreamRequestInit = {
    headers: headersToSend(headers, lastEventId),
    signal,
    redirect: "manual",
    ...cacheOption(),
  };
  try {
    return await abortable(fetch(url.href, init), signal, discardBody);
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    throw streamConnectionError(url, "got no response", cause);
  }
}

const ERROR_BY_STATUS: Readonly<Record<number, typeof ApiError>> = { 401: UnauthorizedError, 403: ForbiddenError };

function statusError(url: URL, summary: string, { status, headers }: StreamResponse): ApiError {
  const ErrorOfStatus = ERROR_BY_STATUS[status] ?? ApiError;
  return new ErrorOfStatus(summary, {
    // In a browser, a redirect that is not followed has the status 0.
    status,
    headers: headers as Headers,
    // The body is not read, so its code is not known.
    code: undefined,
    request: requestSummary(url),
    retryable: status === 408 || isTemporaryStatus(status),
  });
}
