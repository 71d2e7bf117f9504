/**
 * The emulator as a request handler of msw. msw accepts any object with the methods of a handler, so this class does
 * not import msw. This entry point loads without msw in ES modules, CommonJS and browsers, and works with any copy of
 * msw.
 */
import type { FetchLike } from "./fetch.js";

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
  readonly #fetch: FetchLike;
  readonly #baseUrls: readonly string[];

  constructor(fetch: FetchLike, baseUrls: readonly string[]) {
    this.#fetch = fetch;
    this.#baseUrls = baseUrls;
  }

  predicate({ request }: { request: Request }): boolean {
    return this.#baseUrls.some((url) => request.url === url || request.url.startsWith(`${url}/`));
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
    // The request itself stays unread, because msw's events may read it. msw treats an error response as a broken
    // connection.
    const response = await this.#fetch(request.clone()).catch(() => Response.error());
    return { handler: this, request, requestId, response, parsedResult: {} };
  }

  log(): void {}

  reset(): void {}

  restore(): void {}

  /** Called by msw 3. */
  dispose(): void {}
}

/** One handler for all requests under the given URLs. */
export const mswHandlers = (fetch: FetchLike, baseUrls: readonly string[]): unknown[] => [
  new EmulatorHandler(fetch, baseUrls),
];
