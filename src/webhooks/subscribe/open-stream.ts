/** Opens a stream of events. */
import { abortable, throwIfAborted } from "../../async/abort.js";
import { isWebStream } from "../../async/byte-reader.js";
import { noStore } from "../../async/no-store.js";
import type { ErrorMaker } from "../../errors/error-of-name.js";
import { isTemporaryStatus } from "../../errors/is-temporary.js";
import { lastEventIdHeader } from "../http/last-event-id.js";
import { connectionError, shownRequest } from "./connection-error.js";
import { unusable } from "./read-events.js";
import type { HeadersInput, StreamRequestInit, StreamResponse, SubscribeOptions } from "./subscribe-options.js";

/** Whether the media type is `text/event-stream`, in upper or lower case, with any parameters. */
const isEventStream = (contentType: string | null): boolean =>
  /^\s*text\/event-stream\s*(;|$)/i.test(contentType ?? "");

const unreadStream = ({ body }: StreamResponse) => (isWebStream(body) && !body.locked ? body : undefined);

/** Closes a body without reading it. */
const discardBody = (response: StreamResponse) =>
  void unreadStream(response)
    ?.cancel()
    .catch(() => {});

/** The stream, or `undefined` if the server has no more to send (204). */
export async function openStream(
  url: URL,
  { headers, fetch = globalThis.fetch }: SubscribeOptions,
  lastEventId: string | undefined,
  signal: AbortSignal,
  makeError: ErrorMaker,
): Promise<ReadableStream<Uint8Array> | undefined> {
  const currentHeaders = async () => (typeof headers === "function" ? headers() : headers);
  const init: StreamRequestInit = {
    headers: headersToSend(url, await abortable(currentHeaders(), signal), lastEventId, makeError),
    signal,
    redirect: "manual",
    // A cached response would repeat old events.
    ...noStore(),
  };
  const request = async () => fetch(url.href, init);
  const response = await abortable(request(), signal, discardBody).catch((cause: unknown) => {
    throwIfAborted(signal);
    throw connectionError(makeError, url, "got no response", cause);
  });
  const { status, headers: received } = response;
  if (status === 204) return undefined;
  const stream = unreadStream(response);
  if (stream !== undefined && status === 200 && isEventStream(received.get("content-type"))) return stream;
  discardBody(response);
  throw refusalOf(response, url, makeError);
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
  makeError: ErrorMaker,
): Record<string, string> {
  try {
    const headers = new Headers(input);
    headers.set("accept", "text/event-stream");
    const position = lastEventIdHeader(lastEventId) ?? emptyPosition(url);
    if (position !== undefined) headers.set("last-event-id", position);
    return Object.fromEntries(headers);
  } catch {
    // The runtime's error quotes the value, which may be a token.
    throw makeError("ConfigurationError", "subscribe: headers: expected valid HTTP headers", { outcome: "not_sent" });
  }
}

const NAME_BY_STATUS: Readonly<Record<number, string>> = { 401: "UnauthorizedError", 403: "ForbiddenError" };

/** The error for a response that is no stream. After a `retryable` one, the next connection may succeed. */
function refusalOf({ ok, status, headers }: StreamResponse, url: URL, makeError: ErrorMaker): Error {
  const summary = `GET ${url.pathname} responded ${status}`;
  if (ok) return unusable(makeError, "not_an_event", `${summary} without text/event-stream`);
  return makeError(NAME_BY_STATUS[status] ?? "ApiError", summary, {
    // In a browser, a redirect that is not followed has the status 0.
    status,
    headers,
    attempts: 1,
    outcome: status < 500 ? "rejected" : "unknown",
    // The body is not read, so its code is not known.
    code: undefined,
    request: shownRequest(url),
    retryable: status === 408 || isTemporaryStatus(status),
  });
}
