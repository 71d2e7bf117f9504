import { type Incoming, parsedBody } from "./exchange.js";

/** A request that the emulator received. */
export interface RecordedRequest {
  /** The HTTP method. */
  readonly method: string;
  /** The path, relative to the base URL and without the query, for example `/rooms`. */
  readonly path: string;
  /** The whole URL. */
  readonly url: string;
  /** The query parameters. */
  readonly query: URLSearchParams;
  /** The headers. */
  readonly headers: Headers;
  /** The JSON body; `undefined` without one. Only the beginning of a body above 64 KiB is kept, as text. */
  readonly body: unknown;
  /** The length of the body in bytes. */
  readonly bodyBytes: number;
  /** The route, such as `GET /documents/{document_id}`; `undefined` if no route matches. */
  readonly route: string | undefined;
  /** The emulator's time when the request arrived, in milliseconds since 1970. */
  readonly at: number;
  /** The status of the response; `undefined` until it is sent, and if the connection was dropped. */
  status: number | undefined;
}

/** How much of a longer body is recorded, as text: no program sends JSON that long. */
const LOGGED_BODY_BYTES = 64 * 1024;

function keptBody(headers: Headers, { bytes, length }: Incoming["body"]): unknown {
  if (length === 0 || /^(audio|video)\//.test(headers.get("content-type") ?? "")) return undefined;
  return length > LOGGED_BODY_BYTES
    ? new TextDecoder().decode(bytes?.subarray(0, LOGGED_BODY_BYTES))
    : parsedBody(bytes);
}

export const recordedRequest = (
  { method, url, headers, body }: Incoming,
  path: string,
  route: string | undefined,
  at: number,
): RecordedRequest => ({
  method,
  path,
  url: url.href,
  query: url.searchParams,
  headers,
  body: keptBody(headers, body),
  bodyBytes: body.length,
  route,
  at,
  status: undefined,
});
