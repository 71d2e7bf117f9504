/** Asks for a stream of events, and reads what the answer means. An error that is `retryable` is worth another try. */
import { ApiError, type ApiErrorInit, type RequestSummary } from "../../errors/api-error.js";
import { ConnectionError } from "../../errors/connection-error.js";
import { ForbiddenError } from "../../errors/forbidden-error.js";
import { UnauthorizedError } from "../../errors/unauthorized-error.js";
import { WebhookVerificationError } from "../../errors/webhook-verification-error.js";

/** The request as errors show it: a query may carry a token. */
const shown = (url: URL): RequestSummary => ({ method: "GET", url: url.origin + url.pathname });

export const streamConnectionError = (url: URL, what: string, cause?: unknown) =>
  new ConnectionError(`GET ${url.pathname} ${what}`, { cause, request: shown(url), retryable: true });

/** What `fetch` takes as headers. */
export type HeadersInput = NonNullable<RequestInit["headers"]>;

/** The body of the stream, or `undefined` when the server says that there is no more to come (204). */
export async function openStream(
  url: URL,
  given: HeadersInput | undefined,
  lastEventId: string | undefined,
  fetchStream: typeof fetch,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array> | undefined> {
  const headers = new Headers(given);
  headers.set("accept", "text/event-stream");
  if (lastEventId) headers.set("last-event-id", lastEventId);
  let response: Response;
  try {
    response = await fetchStream(url, { headers, signal, redirect: "manual" });
  } catch (cause) {
    signal.throwIfAborted();
    throw streamConnectionError(url, "got no answer", cause);
  }
  const { status, body } = response;
  if (status === 204) return undefined;
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
  if (status === 200 && isStream && body) return body;
  await body?.cancel();
  const answered = `GET ${url.pathname} answered ${status}`;
  if (response.ok) throw new WebhookVerificationError("not_an_event", `${answered} without text/event-stream`);
  const ErrorOfStatus = status === 401 ? UnauthorizedError : status === 403 ? ForbiddenError : ApiError;
  // In a browser, a redirect that is not followed shows the status 0. What a relay says beside the status is not read.
  throw new ErrorOfStatus(answered, {
    status,
    headers: response.headers,
    request: shown(url),
    retryable: status === 408 || status === 429 || status >= 500,
  } as ApiErrorInit);
}
