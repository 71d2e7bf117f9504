/** Asks for a stream of events, and reads what the answer means. */
import { apiErrorFromResponse } from "../errors/api-error-from-response.js";
import { ConnectionError } from "../errors/connection-error.js";
import { InvalidArgumentError } from "../errors/invalid-argument-error.js";
import type { NotetakerError } from "../errors/notetaker-error.js";
import { ResponseValidationError } from "../errors/response-validation-error.js";
import { readRetryAfter } from "../errors/retry-after.js";
import { readBody } from "./read-body.js";

/** How much of a refusal is read. */
const REFUSAL_BYTES = 65_536;

/** Worth another try: the connection was lost, or the server said that it is busy. */
export class Interruption {
  constructor(
    readonly error: NotetakerError,
    /** How long the server asks to be left alone. */
    readonly retryAfterMs = 0,
  ) {}
}

export interface OpenStreamOptions {
  url: URL;
  headers: HeadersInit | undefined;
  lastEventId: string | undefined;
  fetch: typeof fetch;
  signal: AbortSignal;
}

/** The request as errors show it: a query may carry a token. */
const shown = (url: URL) => ({ method: "GET", url: url.origin + url.pathname });

export const connectionLost = (url: URL, message: string, cause?: unknown) =>
  new Interruption(
    new ConnectionError(`GET ${url.pathname} ${message}`, { cause, request: shown(url), retryable: true }),
  );

function headersOf(given: HeadersInit | undefined, lastEventId: string | undefined): Headers {
  try {
    const headers = new Headers(given);
    if (!headers.has("accept")) headers.set("accept", "text/event-stream");
    if (lastEventId) headers.set("last-event-id", lastEventId);
    return headers;
  } catch (error) {
    throw new InvalidArgumentError("subscribe", [{ path: "headers", message: (error as Error).message }]);
  }
}

/**
 * The body of the stream, or `undefined` when the server says that there is no more to come (204).
 *
 * @throws {@link Interruption} when it is worth another try; else an error of this library.
 */
export async function openStream(options: OpenStreamOptions): Promise<ReadableStream<Uint8Array> | undefined> {
  const { url, fetch, signal } = options;
  const headers = headersOf(options.headers, options.lastEventId);
  let response: Response;
  try {
    response = await fetch(url, { headers, signal, redirect: "manual" });
  } catch (cause) {
    throw connectionLost(url, "got no answer", cause);
  }
  if (response.status === 204) return undefined;
  if (response.status !== 200) throw await refusalOf(response, url, signal);
  const type = response.headers.get("content-type") ?? "nothing";
  if (response.body !== null && /^text\/event-stream\b/i.test(type)) return response.body;

  await response.body?.cancel();
  throw new ResponseValidationError(`GET ${url.pathname} answered 200 with ${type} instead of text/event-stream`, {
    issues: [{ path: "content-type", message: `expected text/event-stream, received ${type}` }],
    status: 200,
    body: undefined,
    headers: response.headers,
    request: shown(url),
  });
}

async function refusalOf(response: Response, url: URL, signal: AbortSignal): Promise<NotetakerError | Interruption> {
  const { status, headers } = response;
  // In a browser, a redirect that is not followed shows no status.
  if (response.type === "opaqueredirect" || (status >= 300 && status < 400)) {
    await response.body?.cancel();
    return new ConnectionError(`GET ${url.pathname} answered with a redirect: give subscribe the address it leads to`, {
      request: shown(url),
    });
  }
  const body = await readBody(response, REFUSAL_BYTES, signal);
  const text = body instanceof Uint8Array ? new TextDecoder().decode(body) : "";
  const error = apiErrorFromResponse({ status, headers, text, request: shown(url), path: url.pathname });
  return status === 408 || status === 429 || status >= 500 ? new Interruption(error, readRetryAfter(headers)) : error;
}
