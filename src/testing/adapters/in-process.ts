/**
 * The emulator inside a program: as a function like the global `fetch`, and as a request handler of msw. msw accepts any
 * object with the methods of a handler, so this file does not import msw: it loads without msw in ES modules, CommonJS
 * and browsers, and works with any copy of msw.
 */
import { abortable } from "../../async/abort.js";
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
    if (signal.aborted) throw signal.reason;
    const response = await abortable(handle(request), signal);
    if (response.type === "error") throw new TypeError("fetch failed", { cause: connectionLost() });
    return response;
  };
}

interface RunArguments {
  request: Request;
  requestId: string;
}

/** The part of msw's `RequestHandler` that msw calls. */
class EmulatorHandler {
  /** msw 2.13 and later. */
  readonly kind = "request";
  /** msw before 2.13. */
  readonly __kind = "RequestHandler";
  readonly info = { header: "notetaker-sdk emulator", callFrame: undefined };
  readonly options = {};
  isUsed = false;

  constructor(
    private readonly handle: (request: Request) => Promise<Response>,
    private readonly baseUrls: readonly string[],
  ) {}

  predicate({ request }: { request: Request }): boolean {
    return this.baseUrls.some((url) => request.url === url || request.url.startsWith(`${url}/`));
  }

  async test(args: { request: Request }): Promise<boolean> {
    return this.predicate(args);
  }

  async parse(): Promise<Record<string, never>> {
    return {};
  }

  async run({ request, requestId }: RunArguments): Promise<unknown> {
    if (!this.predicate({ request })) return null;
    this.isUsed = true;
    // The request itself stays unread, because msw's events may read it. To msw, too, an error response is a broken
    // connection.
    const response = await this.handle(request.clone());
    return { handler: this, request, requestId, response, parsedResult: {} };
  }

  log(): void {}

  reset(): void {}

  restore(): void {}

  /** Called by msw 3. */
  dispose(): void {}
}

/** One handler for all requests under the given URLs. */
export const mswHandlers = (
  handle: (request: Request) => Promise<Response>,
  baseUrls: readonly string[],
): unknown[] => [new EmulatorHandler(handle, baseUrls)];
