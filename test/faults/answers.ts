/** What a server writes, byte by byte, and the ways in which it may not even come to that. */
import type { Socket } from "node:net";

/** A request that was read to its end, and what a success would be. */
export interface Answer {
  readonly socket: Socket;
  readonly status: number;
  /** JSON, or empty. */
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Where a fault strikes. */
export type Struck =
  /** Nobody listens. */
  | { readonly kind: "refused" }
  /** The name of the host leads nowhere. */
  | { readonly kind: "unknownHost" }
  /** The server answers the TLS handshake with something else. */
  | { readonly kind: "noTls" }
  /** The server has a certificate that the client does not trust. */
  | { readonly kind: "untrusted" }
  /** The connection is reset as soon as the first byte of the request has come. */
  | { readonly kind: "resetAtOnce" }
  /** The request was read, and this is written. */
  | { readonly kind: "answers"; write(answer: Answer): void };

/** Faults that come before the first byte of HTTP, and need a server that speaks TLS. */
export const isBeforeHttp = ({ kind }: Struck): boolean =>
  kind === "unknownHost" || kind === "noTls" || kind === "untrusted";

function startLine(status: number): string {
  return `HTTP/1.1 ${status} Status`;
}

/** A head that announces `body`. Each connection serves one request. */
export function head(status: number, body: string, headers: Readonly<Record<string, string>> = {}): string {
  const all = {
    ...(status === 204 || status === 304 ? {} : { "content-length": String(Buffer.byteLength(body)) }),
    "content-type": "application/json",
    connection: "close",
    ...headers,
  };
  return [startLine(status), ...Object.entries(all).map(([name, value]) => `${name}: ${value}`), "", ""].join("\r\n");
}

/** A head that announces chunks. */
export const chunked = (status: number): string =>
  [startLine(status), "transfer-encoding: chunked", "content-type: application/json", "connection: close", "", ""].join(
    "\r\n",
  );
