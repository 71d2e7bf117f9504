/** The emulator as a function like the global `fetch`. */
import { abortable } from "../../async/abort.js";
import { type Incoming, type Outgoing, type ServiceResult, truncatedBody } from "../http/exchange.js";
import { readRequestBody } from "./read-body.js";

/** A function with the arguments of `fetch`. */
export type FetchLike = (input: Request | string | URL, init?: RequestInit) => Promise<Response>;

type Handle = (incoming: Incoming) => Promise<ServiceResult>;

/** Whether `input` is a `Request`. It does not compare the class, because a test environment may have its own. */
const isRequest = (input: Request | string | URL): input is Request =>
  typeof input === "object" && "arrayBuffer" in input && "headers" in input;

/** A `fetch` whose requests `handle` responds to. If the signal aborts, it rejects with the signal's reason. */
export function emulatedFetch(handle: Handle): FetchLike {
  return async (input, init) => {
    const request = isRequest(input) && init === undefined ? input : new Request(input, init);
    const { signal } = request;
    if (signal.aborted) throw signal.reason;
    const result = await abortable(handleRequest(request, handle), signal);
    if (result === "drop" || (result.truncated && !result.body)) {
      throw new TypeError("fetch failed", { cause: brokenConnection() });
    }
    return toResponse(result, signal);
  };
}

async function handleRequest(request: Request, handle: Handle): Promise<ServiceResult> {
  const body = await readRequestBody(request);
  const { method, headers, signal } = request;
  return handle({ method, url: new URL(request.url), headers, body, signal });
}

/** The cause that Node's fetch reports. */
const brokenConnection = () => Object.assign(new Error("other side closed"), { code: "UND_ERR_SOCKET" });

/** The statuses that must not have a body. */
const STATUSES_WITHOUT_BODY = new Set([204, 205, 304]);

function toResponse(outgoing: Outgoing, signal: AbortSignal): Response {
  const { status, headers, body, truncated } = outgoing;
  if (!truncated) return new Response(STATUSES_WITHOUT_BODY.has(status) ? null : (body ?? null), { status, headers });
  const { length, arrives } = truncatedBody(outgoing);
  return new Response(breakingStream(arrives, signal), {
    status,
    headers: { ...headers, "content-length": String(length) },
  });
}

/** A stream that delivers the bytes and then fails. An earlier failure would discard the bytes. */
function breakingStream(bytes: Uint8Array<ArrayBuffer>, signal: AbortSignal): ReadableStream<Uint8Array<ArrayBuffer>> {
  let delivered = false;
  return new ReadableStream(
    {
      pull(controller) {
        if (signal.aborted) controller.error(signal.reason);
        else if (delivered) controller.error(new TypeError("terminated", { cause: brokenConnection() }));
        else controller.enqueue(bytes);
        delivered = true;
      },
    },
    { highWaterMark: 0 },
  );
}
