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
  /** The JSON body; `undefined` without one. */
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

/** Audio and video are not decoded: an upload may have gigabytes. */
const jsonBody = (headers: Headers, { bytes }: Incoming["body"]): unknown =>
  /^(audio|video)\//.test(headers.get("content-type") ?? "") ? undefined : parsedBody(bytes);

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
  body: jsonBody(headers, body),
  bodyBytes: body.length,
  route,
  at,
  status: undefined,
});
