/** The URL of a subscription, the request for its stream, and the errors of both. */
import { abortable, throwIfAborted } from "../../async/abort.js";
import { isWebStream } from "../../async/byte-reader.js";
import { noStore } from "../../async/no-store.js";
import { errorOfRecord, errorOfStatus } from "../../errors/error-of-record.js";
import { isTemporaryStatus } from "../../errors/is-temporary.js";
import { isLoopbackHost, parseUrl } from "../../links/http-url.js";
import { ID_IN_HEADER } from "../relay/event-stream-format.js";
import { unusable } from "./read-events.js";
import type { HeadersInput, StreamRequestInit, StreamResponse, SubscribeOptions } from "./subscribe-options.js";

/** The message of an error does not show the URL, which may carry a token. */
export function checkedStreamUrl(url: string | URL, allowInsecureHttp = false): URL {
  const refused = (message: string) =>
    errorOfRecord({ name: "ConfigurationError", message: `subscribe: url${message}`, outcome: "not_sent" });
  // In a browser, a URL may be relative to the page.
  const page = globalThis.location;
  const parsed = parseUrl(String(url), page?.href);
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) {
    throw refused(": expected an absolute http(s) URL");
  }
  if (parsed.username !== "" || parsed.password !== "") {
    throw refused(": expected no credentials; send headers");
  }
  if (
    parsed.protocol === "http:" &&
    !allowInsecureHttp &&
    parsed.origin !== page?.origin &&
    !isLoopbackHost(parsed.hostname)
  ) {
    throw refused(": expected https:, or allowInsecureHttp");
  }
  return parsed;
}

const isEventStream = (contentType: string | null): boolean =>
  /^\s*text\/event-stream\s*(;|$)/i.test(contentType ?? "");

const unreadStream = ({ body }: StreamResponse) => (isWebStream(body) && !body.locked ? body : undefined);

const cancelStream = (response: StreamResponse) =>
  void unreadStream(response)
    ?.cancel()
    .catch(() => {});

export async function openStream(
  url: URL,
  { headers, credentials, fetch = globalThis.fetch }: SubscribeOptions,
  lastEventId: string | undefined,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array> | undefined> {
  const currentHeaders = async () => (typeof headers === "function" ? headers() : headers);
  const init: StreamRequestInit = {
    headers: headersToSend(url, await abortable(currentHeaders(), signal), lastEventId),
    signal,
    redirect: "manual",
    ...(credentials && { credentials }),
    // A cached response would repeat old events.
    ...noStore(),
  };
  const request = async () => fetch(url.href, init);
  const response = await abortable(request(), signal, cancelStream).catch((cause: unknown) => {
    throwIfAborted(signal);
    throw subscriptionError(url, "got no response", cause);
  });
  const { status, headers: received } = response;
  if (status === 204) return undefined;
  const stream = unreadStream(response);
  if (stream !== undefined && status === 200 && isEventStream(received.get("content-type"))) return stream;
  cancelStream(response);
  throw streamRefusal(response, url);
}

/** Sent from the first connection on: CORS that lacks `Last-Event-ID` must fail now, not at a reconnection. */
const emptyPosition = ({ origin }: URL): string | undefined =>
  (globalThis.location ?? { origin }).origin === origin ? undefined : "";

function headersToSend(
  url: URL,
  input: HeadersInput | undefined,
  lastEventId: string | undefined,
): Record<string, string> {
  try {
    const headers = new Headers(input);
    headers.set("accept", "text/event-stream");
    const position = lastEventId && ID_IN_HEADER.test(lastEventId) ? lastEventId : emptyPosition(url);
    if (position !== undefined) headers.set("last-event-id", position);
    return Object.fromEntries(headers);
  } catch {
    // The runtime's error quotes the value, which may be a token.
    const message = "subscribe: headers: expected valid HTTP headers";
    throw errorOfRecord({ name: "ConfigurationError", message, outcome: "not_sent" });
  }
}

/** The error for a response that is no stream. After a `retryable` one, the next connection may succeed. */
function streamRefusal({ ok, status, headers }: StreamResponse, url: URL): Error {
  const message = `GET ${url.pathname} responded ${status}`;
  if (ok) return unusable("not_an_event", `${message} without text/event-stream`);
  // In a browser, a redirect that is not followed has the status 0.
  return errorOfStatus(status, {
    message,
    headers,
    // The body is not read, so its code is not known.
    code: undefined,
    request: shownRequest(url),
    retryable: status === 408 || isTemporaryStatus(status),
  });
}

/** The request that an error shows: without its query, which may carry a token. */
export const shownRequest = ({ origin, pathname }: URL) => ({ method: "GET", url: origin + pathname });

/** For a connection that got no response, or broke off: the next one may succeed. `failure` was thrown. */
export function subscriptionError(url: URL, what: string, failure?: unknown): Error {
  const cause = causeWithoutSecrets(failure);
  const reason = cause?.code === undefined ? "" : `: ${cause.code}`;
  const message = `GET ${url.pathname} ${what}${reason}`;
  return errorOfRecord({ name: "ConnectionError", message, cause, request: shownRequest(url), retryable: true });
}

/** For example `ECONNREFUSED`. */
function systemCode(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return typeof code === "string" && /^[A-Z][A-Z0-9_]{1,40}$/.test(code) ? code : undefined;
}

/** A new error with the code only: the message may quote the URL or a header, and both may contain a token. */
function causeWithoutSecrets(failure: unknown): (Error & { code?: string }) | undefined {
  if (failure === undefined) return undefined;
  const code = systemCode(failure) ?? systemCode((failure as { cause?: unknown } | null)?.cause);
  return Object.assign(new Error(code ?? "the connection failed"), code && { code });
}
