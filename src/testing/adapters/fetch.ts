/** The emulator as a function like the global `fetch`. */
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
