/** The emulator inside a program: as a function like the global `fetch`, and as request handlers of msw. */
import { abortable, throwIfAborted } from "../../async/abort.js";
import { connectionLost } from "../http/exchange.js";

/** A function with the arguments of `fetch`. */
export type FetchLike = (input: Request | string | URL, init?: RequestInit) => Promise<Response>;

/** Whether `input` is a `Request`. It does not compare the class, because a test environment may have its own. */
const isRequest = (input: Request | string | URL): input is Request =>
  typeof input === "object" && "arrayBuffer" in input && "headers" in input;

/** A `fetch` whose requests `handle` responds to. If the signal aborts, it rejects with the signal's reason. */
export function emulatedFetch(handle: (request: Request) => Promise<Response>): FetchLike {
  return async (input, init) => {
    const request = isRequest(input) && init === undefined ? input : new Request(input, init);
    const { signal } = request;
    throwIfAborted(signal);
    const response = await abortable(handle(request), signal);
    if (response.type === "error") throw new TypeError("fetch failed", { cause: connectionLost() });
    return response;
  };
}

/** The `http` of msw, of any version. It is passed in, so that the emulator loads without msw. */
export interface MswHttp<Handler> {
  /** Makes a handler for requests of any method. */
  all(path: RegExp, resolver: (info: { request: Request }) => Promise<Response>): Handler;
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** A handler of msw for all requests under each of the URLs. */
export const mswHandlers = <Handler>(
  http: MswHttp<Handler>,
  handle: (request: Request) => Promise<Response>,
  baseUrls: readonly string[],
): Handler[] =>
  baseUrls.map((baseUrl) =>
    // The request itself stays unread, because msw's events may read it. An error response is a broken connection.
    http.all(new RegExp(`^${escaped(baseUrl)}/`), ({ request }) => handle(request.clone())),
  );
