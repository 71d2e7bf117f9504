/** A request and a response as plain data: what all three entrances of the emulator are reduced to. */

export interface Incoming {
  method: string;
  url: URL;
  headers: Headers;
  /** The size of the headers, if they came over the network. */
  headerBytes?: number;
  /** The body; only its length if it was too long to keep. */
  body: { bytes: Uint8Array<ArrayBuffer> | undefined; length: number };
  /** Aborts when nobody waits for the response any more. */
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
  /** True if the connection breaks in the middle of the body. */
  truncated: boolean;
}

/** The result of a request: a response, or a connection that breaks before one. */
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
