import { parseJson } from "../../json/parse-json.js";
import type { Incoming } from "./exchange.js";

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

const LOGGED_BODY_BYTES = 64 * 1024;
const MAX_KEPT_REQUESTS = 10_000;
/** The maximum size of URLs, headers and bodies together. It is an estimate, with two bytes for each character. */
const MAX_KEPT_BYTES = 32 * 1024 * 1024;
/** The minimum size of a request. */
const BASE_BYTES = 500;

function keptBody(headers: Headers, { bytes, length }: Incoming["body"]): unknown {
  if (length === 0 || /^(audio|video)\//.test(headers.get("content-type") ?? "")) return undefined;
  const text = new TextDecoder().decode(bytes?.subarray(0, LOGGED_BODY_BYTES));
  return length > LOGGED_BODY_BYTES ? text : parseJson(text);
}

/** Keeps the newest requests, up to a number and a total size. */
export class RequestLog {
  /** The oldest first. */
  readonly requests: RecordedRequest[] = [];
  #bytes = 0;

  record({ method, url, headers, body }: Incoming, path: string, route: string | undefined, at: number) {
    const request: RecordedRequest = {
      ...{ method, path, url: url.href, query: url.searchParams, headers },
      ...{ body: keptBody(headers, body), bodyBytes: body.length, route, at, status: undefined },
    };
    this.#add(request);
    return request;
  }

  #add(request: RecordedRequest): void {
    this.requests.push(request);
    this.#bytes += requestSize(request);
    // The newest request is always kept, even a very large one.
    while (this.requests.length > MAX_KEPT_REQUESTS || (this.#bytes > MAX_KEPT_BYTES && this.requests.length > 1)) {
      this.#bytes -= requestSize(this.requests.shift() as RecordedRequest);
    }
  }

  replace(requests: readonly RecordedRequest[]): void {
    this.requests.length = 0;
    this.#bytes = 0;
    for (const request of requests) this.#add(request);
  }
}

function requestSize({ url, headers, body, bodyBytes }: RecordedRequest): number {
  let characters = url.length;
  for (const [name, value] of headers) characters += name.length + value.length;
  return BASE_BYTES + 2 * (characters + (body === undefined ? 0 : Math.min(bodyBytes, LOGGED_BODY_BYTES)));
}
