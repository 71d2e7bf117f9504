/** Opens a stream of events and interprets the response. After a `retryable` error, the next attempt may succeed. */
import { abortable, reasonOf, throwIfAborted } from "../../async/abort.js";
import { type ByteReader, byteReader, discardBody, isReadable } from "../../async/byte-reader.js";
import type { RequestSummary } from "../../errors/api-error.js";
import type { ErrorMaker } from "../../errors/error-of-name.js";
import { isErrorLike } from "../../errors/error-record.js";
import { isTemporaryStatus } from "../../errors/is-temporary.js";
import { lastEventIdHeader } from "../http/last-event-id.js";
import type {
  HeadersInput,
  StreamRequestInit,
  StreamResponse,
  SubscribeFetch,
  SubscribeOptions,
} from "./subscribe-options.js";

/** The request as errors show it: without the query, which may carry a token. */
const requestSummary = (url: URL): RequestSummary => ({ method: "GET", url: url.origin + url.pathname });

export function streamConnectionError(makeError: ErrorMaker, url: URL, what: string, failure?: unknown): Error {
  const cause = causeWithoutSecrets(failure);
  const reason = cause?.code === undefined ? "" : `: ${cause.code}`;
  return makeError("ConnectionError", `GET ${url.pathname} ${what}${reason}`, {
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
  return Object.assign(new Error(code ?? "the connection failed"), { name }, code && { code });
}

/** Whether the media type is `text/event-stream`, in upper or lower case, with any parameters. */
const isEventStream = (contentType: string | null): boolean =>
  contentType?.split(";", 1)[0]?.trim().toLowerCase() === "text/event-stream";

/** A cached response would repeat old events. Some runtimes refuse the option; those have no cache. */
const cacheOption = (): { cache?: "no-store" } =>
  typeof Request === "function" && "cache" in Request.prototype ? { cache: "no-store" } : {};

/** The fields of an error for something that is not an event. */
export const NOT_AN_EVENT = { reason: "not_an_event", outcome: "rejected" };

/** The bytes of the stream, or `undefined` if the server has no more to send (204). */
export async function openStream(
  url: URL,
  { headers, fetch = globalThis.fetch }: SubscribeOptions,
  lastEventId: string | undefined,
  signal: AbortSignal,
  makeError: ErrorMaker,
): Promise<ByteReader | undefined> {
  const currentHeaders = async () => (typeof headers === "function" ? headers() : headers);
  const init: StreamRequestInit = {
    headers: headersToSend(await abortable(currentHeaders(), signal), lastEventId, makeError),
    signal,
    redirect: "manual",
    ...cacheOption(),
  };
  const response = await requestStream(url, init, fetch, makeError);
  if (signal.aborted) {
    discardBody(response);
    throw reasonOf(signal);
  }
  const { status, body } = response;
  if (status === 204) return undefined;
  const isStream = status === 200 && isEventStream(response.headers.get("content-type"));
  if (isStream && isReadable(body) && !body.locked) return byteReader(body);
  discardBody(response);
  const summary = `GET ${url.pathname} responded ${status}`;
  if (response.ok) {
    throw makeError("WebhookVerificationError", `${summary} without text/event-stream`, NOT_AN_EVENT);
  }
  throw statusError(makeError, url, summary, response);
}

/** The headers to send. The runtime's error is not shown, because it quotes the value, which may be a token. */
function headersToSend(
  input: HeadersInput | undefined,
  lastEventId: string | undefined,
  makeError: ErrorMaker,
): Record<string, string> {
  try {
    const headers = new Headers(input);
    headers.set("accept", "text/event-stream");
    const position = lastEventIdHeader(lastEventId);
    if (position !== undefined) headers.set("last-event-id", position);
    return Object.fromEntries(headers);
  } catch {
    throw makeError("ConfigurationError", "subscribe: headers: expected valid HTTP headers", { outcome: "not_sent" });
  }
}

async function requestStream(
  url: URL,
  init: StreamRequestInit,
  fetch: SubscribeFetch,
  makeError: ErrorMaker,
): Promise<StreamResponse> {
  const { signal } = init;
  try {
    return await abortable(fetch(url.href, init), signal, discardBody);
  } catch (cause) {
    throwIfAborted(signal);
    throw streamConnectionError(makeError, url, "got no response", cause);
  }
}

const NAME_BY_STATUS: Readonly<Record<number, string>> = { 401: "UnauthorizedError", 403: "ForbiddenError" };

function statusError(makeError: ErrorMaker, url: URL, summary: string, { status, headers }: StreamResponse): Error {
  return makeError(NAME_BY_STATUS[status] ?? "ApiError", summary, {
    // In a browser, a redirect that is not followed has the status 0.
    status,
    headers,
    attempts: 1,
    outcome: status < 500 ? "rejected" : "unknown",
    // The body is not read, so its code is not known.
    code: undefined,
    request: requestSummary(url),
    retryable: status === 408 || isTemporaryStatus(status),
  });
}
