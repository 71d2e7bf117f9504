/** The emulator as a `fetch`, and as handlers of msw: any object with their methods, so msw is not loaded. */
import { abortable, throwIfAborted } from "../../async/abort.js";
import { connectionLost } from "../http/exchange.js";

/** A function with the arguments of `fetch`. */
export type FetchLike = (input: Request | string | URL, init?: RequestInit) => Promise<Response>;

/** A test environment may have a `Request` of its own. */
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

interface RunArguments {
  request: Request;
  requestId: string;
}

/** One handler for all requests under these URLs: the part of msw's `RequestHandler` that msw calls. */
export function mswHandlers(handle: (request: Request) => Promise<Response>, baseUrls: readonly string[]): unknown[] {
  const predicate = ({ request: { url } }: { request: Request }) =>
    baseUrls.some((baseUrl) => url === baseUrl || url.startsWith(`${baseUrl}/`));
  const handler = {
    /** msw 2.13 and later. */
    kind: "request",
    /** msw before 2.13. */
    __kind: "RequestHandler",
    info: { header: "notetaker-sdk emulator", callFrame: undefined },
    options: {},
    isUsed: false,
    predicate,
    test: async (args: { request: Request }) => predicate(args),
    parse: async () => ({}),
    async run({ request, requestId }: RunArguments): Promise<unknown> {
      if (!predicate({ request })) return null;
      handler.isUsed = true;
      // The request itself stays unread, because msw's events may read it. msw also treats an error response as
      // a broken connection.
      const response = await handle(request.clone());
      return { handler, request, requestId, response, parsedResult: {} };
    },
    log() {},
    reset() {},
    restore() {},
    /** Called by msw 3. */
    dispose() {},
  };
  return [handler];
}
