/** The bytes that a server writes, and faults that come before the server writes anything. */
import type { Socket } from "node:net";

/** A request that was read completely, and the response that a success would have. */
export interface Answer {
  readonly socket: Socket;
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

export type Struck =
  | { readonly kind: "refused" }
  | { readonly kind: "unknownHost" }
  /** The server does not answer the TLS handshake with TLS. */
  | { readonly kind: "noTls" }
  | { readonly kind: "untrusted" }
  /** The connection is reset when the first byte of the request arrives. */
  | { readonly kind: "resetAtOnce" }
  /** The server reads the request, and this function writes the response. */
  | { readonly kind: "answers"; write(answer: Answer): void };

/** Faults that occur before the first byte of HTTP. Clients then use the `fetch` of a server that speaks TLS. */
export const isBeforeHttp = ({ kind }: Struck): boolean =>
  kind === "refused" || kind === "unknownHost" || kind === "noTls" || kind === "untrusted";

function startLine(status: number): string {
  return `HTTP/1.1 ${status} Status`;
}

/** Response headers with the length of `body`. Each connection serves one request. */
export function head(status: number, body: string, headers: Readonly<Record<string, string>> = {}): string {
  const all = {
    ...(status === 204 || status === 304 ? {} : { "content-length": String(Buffer.byteLength(body)) }),
    "content-type": "application/json",
    connection: "close",
    ...headers,
  };
  return [startLine(status), ...Object.entries(all).map(([name, value]) => `${name}: ${value}`), "", ""].join("\r\n");
}

export const chunked = (status: number): string =>
  [startLine(status), "transfer-encoding: chunked", "content-type: application/json", "connection: close", "", ""].join(
    "\r\n",
  );
