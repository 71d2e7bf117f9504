/**
 * The emulator as a request handler of msw. msw accepts any object with the methods of a handler, so this class does
 * not import msw. This entry point loads without msw in ES modules, CommonJS and browsers, and works with any copy of
 * msw.
 */
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
  readonly #handle: (request: Request) => Promise<Response>;
  readonly #baseUrls: readonly string[];

  constructor(handle: (request: Request) => Promise<Response>, baseUrls: readonly string[]) {
    this.#handle = handle;
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
    // The request itself stays unread, because msw's events may read it. To msw, too, an error response is a broken
    // connection.
    const response = await this.#handle(request.clone());
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
