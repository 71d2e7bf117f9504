/** A request and a response as plain data. All three adapters (`fetch`, HTTP and msw) convert to these types. */

export interface Incoming {
  method: string;
  url: URL;
  headers: Headers;
  /** The size of the headers in bytes, if the request came over the network. */
  headerBytes?: number;
  /** The body. If it is too long to keep, only its length. */
  body: { bytes: Uint8Array<ArrayBuffer> | undefined; length: number };
  /** Aborts when the client no longer waits for the response. */
  signal: AbortSignal;
}

/** The response of a route. */
export interface ServiceResponse {
  status: number;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent unchanged. */
  body?: string | Uint8Array<ArrayBuffer>;
}

/** A response as it is sent. */
export interface Outgoing {
  status: number;
  headers: Record<string, string>;
  body: string | Uint8Array<ArrayBuffer> | undefined;
  /** Whether the connection breaks after the first half of the body. */
  truncated: boolean;
}

/** The result of a request: a response, or a connection that breaks before the response. */
export type ServiceResult = Outgoing | "drop";

/** The body of a truncated response: its announced length, and the bytes that arrive. */
export function truncatedBody({ body = "" }: Outgoing): { length: number; arrives: Uint8Array<ArrayBuffer> } {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  return { length: bytes.length, arrives: bytes.subarray(0, bytes.length >> 1) };
}

export const json = (body: unknown, status = 200): ServiceResponse => ({ status, json: body });
export const noContent: ServiceResponse = { status: 204 };

/** A response with its body serialised. */
export function toOutgoing({ status, headers = {}, json, body }: ServiceResponse, truncated: boolean): Outgoing {
  return json === undefined
    ? { status, headers, body, truncated }
    : { status, headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(json), truncated };
}
