/** Opens a stream of events. */
import { abortable, reasonOf, throwIfAborted } from "../../async/abort.js";
import { type ByteReader, byteReader, discardBody, isReadable } from "../../async/byte-reader.js";
import { noStore } from "../../async/no-store.js";
import { lastEventIdHeader } from "../http/last-event-id.js";
import type { StreamErrors } from "./stream-errors.js";
import type { HeadersInput, StreamRequestInit, SubscribeOptions } from "./subscribe-options.js";

/** Whether the media type is `text/event-stream`, in upper or lower case, with any parameters. */
const isEventStream = (contentType: string | null): boolean =>
  contentType?.split(";", 1)[0]?.trim().toLowerCase() === "text/event-stream";

/** The bytes of the stream, or `undefined` if the server has no more to send (204). */
export async function openStream(
  url: URL,
  { headers, fetch = globalThis.fetch }: SubscribeOptions,
  lastEventId: string | undefined,
  signal: AbortSignal,
  errors: StreamErrors,
): Promise<ByteReader | undefined> {
  const currentHeaders = async () => (typeof headers === "function" ? headers() : headers);
  const init: StreamRequestInit = {
    headers: headersToSend(await abortable(currentHeaders(), signal), lastEventId, errors),
    signal,
    redirect: "manual",
    // A cached response would repeat old events.
    ...noStore(),
  };
  const request = async () => fetch(url.href, init);
  const response = await abortable(request(), signal, discardBody).catch((cause: unknown) => {
    throwIfAborted(signal);
    throw errors.connection("got no response", cause);
  });
  if (signal.aborted) {
    discardBody(response);
    throw reasonOf(signal);
  }
  const { status, body } = response;
  if (status === 204) return undefined;
  const isStream = status === 200 && isEventStream(response.headers.get("content-type"));
  if (isStream && isReadable(body) && !body.locked) return byteReader(body);
  discardBody(response);
  throw errors.response(response);
}

function headersToSend(
  input: HeadersInput | undefined,
  lastEventId: string | undefined,
  errors: StreamErrors,
): Record<string, string> {
  try {
    const headers = new Headers(input);
    headers.set("accept", "text/event-stream");
    const position = lastEventIdHeader(lastEventId);
    if (position !== undefined) headers.set("last-event-id", position);
    return Object.fromEntries(headers);
  } catch {
    throw errors.invalidHeaders();
  }
}
