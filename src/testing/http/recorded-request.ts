/** What arrived, for a test to look at. */

import { parsedJson } from "./check-request.js";
import type { Incoming } from "./exchange.js";

export interface RecordedRequest {
  readonly method: string;
  /** Under the base address, without the query: `/rooms`. */
  readonly path: string;
  readonly url: string;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  /** The JSON body; `undefined` where there was none. */
  readonly body: unknown;
  /** The length of the body. */
  readonly bodyBytes: number;
  /** The route that it was for, such as `GET /documents/{document_id}`; `undefined` when there is none. */
  readonly route: string | undefined;
  /** The emulator's time at which it came, in milliseconds since 1970. */
  readonly at: number;
  /** The status that was answered; `undefined` before that, and when no answer was sent. */
  status: number | undefined;
}

export function recordRequest(
  { method, url, headers, body }: Incoming,
  path: string,
  route: string | undefined,
  at: number,
): RecordedRequest {
  const isJson = body.length > 0 && !/^(audio|video)\//.test(headers.get("content-type") ?? "");
  return {
    method,
    path,
    url: url.href,
    query: url.searchParams,
    headers,
    body: isJson ? parsedJson(body.bytes) : undefined,
    bodyBytes: body.length,
    route,
    at,
    status: undefined,
  };
}
