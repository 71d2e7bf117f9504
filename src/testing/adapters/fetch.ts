/** The way in as a function like the global `fetch`. */
import { type Incoming, type Outgoing, type ServiceResult, truncatedBody } from "../http/exchange.js";
import { untilAborted } from "../until-aborted.js";
import { bodyOf } from "./read-body.js";

export type FetchLike = (input: Request | string | URL, init?: RequestInit) => Promise<Response>;

/** A request of any realm: a test environment may bring a class of its own. */
const isRequest = (input: Request | string | URL): input is Request =>
  typeof input === "object" && "arrayBuffer" in input && "headers" in input;

/** A `fetch` that is answered by `handle`. An aborted signal rejects with its own reason. */
export function emulatedFetch(handle: (incoming: Incoming) => Promise<ServiceResult>): FetchLike {
  return async (input, init) => {
    const request = isRequest(input) && init === undefined ? input : new Request(input, init);
    const { signal } = request;
    signal.throwIfAborted();
    const outcome = await untilAborted(handleRequest(request, handle), signal);
    if (outcome === "drop" || (outcome.truncated && !outcome.body)) {
      throw new TypeError("fetch failed", { cause: brokenConnection("other side closed") });
    }
    return responseOf(outcome, signal);
  };
}

async function handleRequest(
  request: Request,
  handle: (incoming: Incoming) => Promise<ServiceResult>,
): Promise<ServiceResult> {
  const body = await bodyOf(request);
  const { method, headers, signal } = request;
  return handle({ method, url: new URL(request.url), headers, body, signal });
}

/** The cause that Node's fetch gives. */
const brokenConnection = (message: string) => Object.assign(new Error(message), { code: "UND_ERR_SOCKET" });

/** A status that must not carry a body. */
const BODYLESS = new Set([204, 205, 304]);

function responseOf(outgoing: Outgoing, signal: AbortSignal): Response {
  const { status, headers, body, truncated } = outgoing;
  if (!truncated) return new Response(BODYLESS.has(status) ? null : (body ?? null), { status, headers });
  const { length, arrives } = truncatedBody(outgoing);
  return new Response(breakingStream(arrives, signal), {
    status,
    headers: { ...headers, "content-length": String(length) },
  });
}

/** Gives the bytes, and then breaks: not before they are read, as an error takes back what is waiting. */
function breakingStream(bytes: Uint8Array<ArrayBuffer>, signal: AbortSignal): ReadableStream<Uint8Array<ArrayBuffer>> {
  let given = false;
  return new ReadableStream(
    {
      pull(controller) {
        if (signal.aborted) controller.error(signal.reason);
        else if (given) controller.error(new TypeError("terminated", { cause: brokenConnection("other side closed") }));
        else controller.enqueue(bytes);
        given = true;
      },
    },
    { highWaterMark: 0 },
  );
}
