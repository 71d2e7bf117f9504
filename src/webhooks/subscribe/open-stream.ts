import { abortable, throwIfAborted } from "../../async/abort.js";
import { isWebStream } from "../../async/byte-reader.js";
import { noStore } from "../../async/no-store.js";
import { errorOfRecord, errorOfStatus } from "../../errors/error-of-record.js";
import { isTemporaryStatus } from "../../errors/is-temporary.js";
import { lastEventIdHeader } from "../http/last-event-id.js";
import { shownRequest, subscriptionError } from "./connection-error.js";
import { unusable } from "./read-events.js";
import type { HeadersInput, StreamRequestInit, StreamResponse, SubscribeOptions } from "./subscribe-options.js";

const isEventStream = (contentType: string | null): boolean =>
  /^\s*text\/event-stream\s*(;|$)/i.test(contentType ?? "");

const unreadStream = ({ body }: StreamResponse) => (isWebStream(body) && !body.locked ? body : undefined);

const cancelStream = (response: StreamResponse) =>
  void unreadStream(response)
    ?.cancel()
    .catch(() => {});

/** The stream, or `undefined` if the server has no more to send (204). */
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

/**
 * A page of another origin sends `Last-Event-ID` with every connection. A server that does not allow this header would
 * else refuse the second connection only, and the page would miss events without notice.
 */
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
    const position = lastEventIdHeader(lastEventId) ?? emptyPosition(url);
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
