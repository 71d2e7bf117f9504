import { abortReason } from "../../async/abort.js";
import { ReceivedBytes } from "../../async/received-bytes.js";
import { orUndefined } from "../../json/or-undefined.js";

/** A larger body is not kept. An upload up to this size is served as the recording of its meeting. */
const KEPT_BODY_BYTES = 16 * 1024 * 1024;

export interface Incoming {
  method: string;
  url: URL;
  headers: Headers;
  /** The body; only its length if it is too long to keep. */
  body: { bytes: Uint8Array<ArrayBuffer> | undefined; length: number };
}

export interface ServiceResponse {
  status: number;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent unchanged. */
  body?: string | Uint8Array<ArrayBuffer>;
}

export const jsonResponse = (body: unknown, status = 200): ServiceResponse => ({ status, json: body });
export const noContent: ServiceResponse = { status: 204 };

export async function readRequest(request: Request): Promise<Incoming> {
  const { method, headers } = request;
  return { method, url: new URL(request.url), headers, body: await keepBody(request) };
}

async function keepBody(request: Request): Promise<Incoming["body"]> {
  const received = new ReceivedBytes();
  let length = 0;
  // Some browsers do not expose a request's body as a stream.
  const stream = request.body === null ? undefined : (request.body ?? (await request.blob()).stream());
  const reader = stream?.getReader();
  for (let read = await reader?.read(); read?.value !== undefined; read = await reader?.read()) {
    length += read.value.byteLength;
    if (length <= KEPT_BODY_BYTES) received.add(read.value);
  }
  // A copy, which the sender of a chunk cannot change.
  return { bytes: length <= KEPT_BODY_BYTES ? received.bytes.slice() : undefined, length };
}

/** The JSON of a body; `undefined` if it is not JSON, or nested so deeply that no response could repeat it. */
export const parsedBody = (bytes: Uint8Array | undefined): unknown =>
  orUndefined(() => {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    JSON.stringify(value);
    return value;
  });

const STATUSES_WITHOUT_BODY = new Set([204, 205, 304]);

/** A connection that breaks before the response, also for msw and for Node's adapter. */
export const brokenOff = (): Response => Response.error();

/** With `truncated`, the connection breaks after the first half of the body. */
export function toResponse(response: ServiceResponse, truncated: boolean, signal: AbortSignal): Response {
  const { status, json, body = json === undefined ? undefined : JSON.stringify(json) } = response;
  const headers = new Headers(json === undefined ? {} : { "content-type": "application/json" });
  for (const [name, value] of Object.entries(response.headers ?? {})) headers.set(name, value);
  if (body === undefined || STATUSES_WITHOUT_BODY.has(status)) {
    return truncated ? brokenOff() : new Response(null, { status, headers });
  }
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  if (truncated || !headers.has("content-length")) headers.set("content-length", String(bytes.length));
  if (!truncated) return new Response(bytes, { status, headers });
  return new Response(breakingStream(bytes.subarray(0, bytes.length >> 1), signal), { status, headers });
}

/** The cause that Node's fetch reports. */
export const connectionLost = () => Object.assign(new Error("other side closed"), { code: "UND_ERR_SOCKET" });

/** Delivers the bytes and then fails. An earlier failure would discard them. */
function breakingStream(bytes: Uint8Array<ArrayBuffer>, signal: AbortSignal): ReadableStream<Uint8Array<ArrayBuffer>> {
  let delivered = false;
  return new ReadableStream(
    {
      pull(controller) {
        if (signal.aborted) controller.error(abortReason(signal));
        else if (delivered) controller.error(new TypeError("terminated", { cause: connectionLost() }));
        else controller.enqueue(bytes);
        delivered = true;
      },
    },
    { highWaterMark: 0 },
  );
}
