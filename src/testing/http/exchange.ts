/** A request and an answer as plain data: what all three ways into the emulator are reduced to. */

export interface Incoming {
  method: string;
  url: URL;
  headers: Headers;
  /** The body; only its length when it was too long to keep. */
  body: { bytes: Uint8Array<ArrayBuffer> | undefined; length: number };
  /** Aborts when nobody waits for the answer any more. */
  signal: AbortSignal;
}

/** What a route answers. */
export interface ServiceResponse {
  status: number;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as it is. */
  body?: string | Uint8Array<ArrayBuffer>;
}

/** An answer as it goes out. */
export interface Outgoing {
  status: number;
  headers: Record<string, string>;
  body: string | Uint8Array<ArrayBuffer> | undefined;
  /** The connection breaks in the middle of the body. */
  truncated: boolean;
}

/** What becomes of a request: an answer, or a connection that breaks before one. */
export type ServiceResult = Outgoing | "drop";

const encoder = new TextEncoder();

/** The body of a truncated answer: its whole length, and the part that arrives. */
export function truncatedBody({ body = "" }: Outgoing): { length: number; arrives: Uint8Array<ArrayBuffer> } {
  const whole = typeof body === "string" ? encoder.encode(body) : body;
  return { length: whole.length, arrives: whole.subarray(0, whole.length >> 1) };
}

export const json = (body: unknown, status = 200): ServiceResponse => ({ status, json: body });
export const noContent: ServiceResponse = { status: 204 };

/** A response with its body serialised. */
export function toOutgoing({ status, headers = {}, json, body }: ServiceResponse, truncated: boolean): Outgoing {
  return json === undefined
    ? { status, headers, body, truncated }
    : { status, headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(json), truncated };
}
