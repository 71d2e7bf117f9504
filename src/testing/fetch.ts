/** The way in as a function like the global `fetch`. */
import type { Incoming, Outgoing } from "./exchange.js";
import { bodyOf } from "./read-body.js";

export type FetchLike = (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>;

/** A request of any realm: a test environment may bring a class of its own. */
const isRequest = (input: RequestInfo | URL): input is Request =>
  typeof input === "object" && "arrayBuffer" in input && "headers" in input;

/** A `fetch` that is answered by `handle`. An aborted signal rejects with its own reason. */
export function emulatedFetch(handle: (incoming: Incoming) => Promise<Outgoing>): FetchLike {
  return async (input, init) => {
    const request = isRequest(input) && init === undefined ? input : new Request(input, init);
    const { signal } = request;
    signal.throwIfAborted();
    const body = await untilAborted(bodyOf(request), signal);
    const incoming: Incoming = { method: request.method, url: new URL(request.url), headers: request.headers, body };
    return responseOf(await untilAborted(handle(incoming), signal));
  };
}

/** A status that must not carry a body. */
const BODYLESS = new Set([204, 205, 304]);

function responseOf({ status, headers, body }: Outgoing): Response {
  return new Response(BODYLESS.has(status) ? null : (body ?? null), { status, headers });
}

/** Settles as `work` does, or rejects at once when the signal aborts. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
