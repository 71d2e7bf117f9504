/**
 * The way in through msw. A request handler of msw is anything that has its methods, so one is made here without msw itself:
 * this entry point loads without msw, synchronously, in ES modules, CommonJS and browsers, and works with whichever copy of
 * msw the test uses.
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
  readonly #addresses: readonly string[];

  constructor(fetch: FetchLike, addresses: readonly string[]) {
    this.#fetch = fetch;
    this.#addresses = addresses;
  }

  predicate({ request }: { request: Request }): boolean {
    return this.#addresses.some((address) => request.url === address || request.url.startsWith(`${address}/`));
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
    // The request itself stays unread, for msw's own events.
    // A broken connection is this to msw; one that was aborted it has given up already.
    const response = await this.#fetch(request.clone()).catch(() => Response.error());
    return { handler: this, request, requestId, response, parsedResult: {} };
  }

  log(): void {}

  reset(): void {}

  restore(): void {}

  /** msw 3. */
  dispose(): void {}
}

/** One handler, for everything under the given addresses. */
export const mswHandlers = (fetch: FetchLike, addresses: readonly string[]): unknown[] => [
  new EmulatorHandler(fetch, addresses),
];
