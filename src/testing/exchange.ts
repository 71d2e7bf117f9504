/** A request and an answer as plain data: what all three ways into the emulator are reduced to. */

export interface Incoming {
  method: string;
  url: URL;
  headers: Headers;
  /** The body; only its length when it was too long to keep. */
  body: { bytes: Uint8Array<ArrayBuffer> | undefined; length: number };
}

/** What a route answers. */
export interface Answer {
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
}

export const json = (body: unknown, status = 200): Answer => ({ status, json: body });
export const noContent: Answer = { status: 204 };
