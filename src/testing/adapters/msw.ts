/**
 * The emulator as a request handler of msw. msw takes anything that has a handler's methods, so the handler is made
 * without msw: this entry point loads without it, in ES modules, CommonJS and browsers, and works with any copy of msw.
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
  /** msw before that. */
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
    // The request itself stays unread, for msw's own events. An error response is a broken connection to msw.
    const response = await this.#fetch(request.clone()).catch(() => Response.error());
    return { handler: this, request, requestId, response, parsedResult: {} };
  }

  log(): void {}

  reset(): void {}

  restore(): void {}

  /** msw 3. */
  dispose(): void {}
}

/** One handler, for everything under the given URLs. */
export const mswHandlers = (fetch: FetchLike, baseUrls: readonly string[]): unknown[] => [
  new EmulatorHandler(fetch, baseUrls),
];
