/** The errors without a usable response: `fetch` threw, a time limit passed, or the response is a redirect. */
import { textOf } from "../json/text-of.js";
import type { RequestSummary } from "./api-error.js";
import { ConnectionError, TimeoutError } from "./call-errors.js";
import { type ErrorLike, isErrorLike } from "./error-record.js";
import type { CallFacts } from "./notetaker-error.js";
import { oneLine } from "./one-line.js";

/** Codes of a connection that was never made, of Node and Bun. An open connection may fail with the same codes. */
const NO_CONNECTION =
  /^(?:ECONNREFUSED|EADDRNOTAVAIL|E(?:HOST|NET)(?:DOWN|UNREACH)|ENOTFOUND|EAI_\w+|UND_ERR_CONNECT_TIMEOUT|ConnectionRefused|FailedToOpenSocket|ERR_PROXY_TUNNEL)$/;
/** Codes of OpenSSL for a refused certificate. It is refused before the request is sent. */
const REFUSED_CERTIFICATE = /(?:^|_)CERT(?:_|$)|^(?:UNABLE_TO_\w+|HOSTNAME_MISMATCH|INVALID_(?:CA|PURPOSE))$/;
/** Codes of OpenSSL for a TLS handshake that failed. The request was not sent. */
const NO_HANDSHAKE =
  /^ERR_SSL_(?:HTTP_REQUEST|NO_PROTOCOLS|PACKET_LENGTH|UNSUPPORTED_PROTOCOL|WRONG_VERSION|.*(?:HANDSHAKE_FAILURE|PROTOCOL_VERSION|UNRECOGNIZED_NAME))/;
/** The server or Node refused the HTTP/2 stream before it was processed (RFC 9113, section 8.7). */
const REFUSED_STREAM = /REFUSED_STREAM|ERR_HTTP2_GOAWAY_SESSION/;
/** A `fetch` of the caller, or its dispatcher, refused its init: a member of `fetchOptions`, such as `cache`. */
const REFUSED_INIT =
  /^UND_ERR_INVALID_ARG |^Request constructor: |^Failed to (?:construct 'Request'|execute 'fetch')|of RequestInit|\bdispatch is not a function|^Referrer "|^'window' option |HTTP method is unsupported|in no-cors mode/;
/** Codes of the limits that undici has, Node's `fetch`: 300 s until the headers, and 300 s without a byte of the body. */
const LIMIT_OF_FETCH = /^UND_ERR_(?:HEADERS|BODY)_TIMEOUT$/;
/** System calls that come before the first byte is sent. */
const CONNECTING = /^(?:connect|getaddrinfo)$/;

/** Messages of the same failures, from runtimes that give no code. */
const NO_CONNECTION_MESSAGE =
  /bad port|before secure TLS connection was established|wrong version number|dns error|tcp connect error|invalid peer certificate/i;
/** Messages of undici and Deno about a proxy that refused to open the tunnel to the service, such as with a 407. */
const NO_TUNNEL_MESSAGE =
  /^Proxy response \(\d+\) !== 200 when HTTP Tunneling$|client error \(Connect\): proxy authentication required$/;

const MAX_CHAIN = 5;

/** An error and its causes, from the outermost to the innermost. In Node, the system error is a cause. */
function causesOf(error: unknown): ErrorLike[] {
  const causes: ErrorLike[] = [];
  let cause = error;
  while (isErrorLike(cause) && causes.length < MAX_CHAIN) {
    causes.push(cause);
    cause = cause.errors?.[0] ?? cause.cause;
  }
  return causes;
}

const namesRefusedInit = ({ code, message }: ErrorLike): boolean =>
  REFUSED_INIT.test(message) || REFUSED_INIT.test(`${code} ${message}`);

/** Whether the request was certainly not sent, or not processed. */
function wasNotSent(error: ErrorLike): boolean {
  const code = String(error.code);
  if (REFUSED_STREAM.test(`${code} ${error.message}`)) return true;
  const { syscall } = error as { syscall?: unknown };
  if (REFUSED_CERTIFICATE.test(code) || NO_HANDSHAKE.test(code)) return true;
  if (NO_CONNECTION_MESSAGE.test(error.message) || NO_TUNNEL_MESSAGE.test(error.message)) return true;
  return syscall === undefined ? NO_CONNECTION.test(code) : CONNECTING.test(String(syscall));
}

export interface RequestTarget {
  readonly request: RequestSummary;
  /** The path as the message shows it, or another description of the URL. */
  readonly path: string;
}

/** `isRefusedInit`: whether it is known that the runtime makes no request of the init. */
export function connectionErrorFrom(cause: unknown, target: RequestTarget, isRefusedInit = false): ConnectionError {
  const causes = causesOf(cause);
  const isRedirect = causes.some(({ message }) => /unexpected ?redirect|redirect mode/i.test(message));
  if (isRedirect) return redirectError(target, cause);
  const { request, path } = target;
  const isRefused = isRefusedInit || causes.some(namesRefusedInit);
  const outcome = isRefused || causes.some(wasNotSent) ? "not_sent" : "unknown";
  const innermost = causes.at(-1);
  const reason = oneLine(innermost?.message || textOf(cause), 200);
  const code = typeof innermost?.code === "string" && !reason.includes(innermost.code) ? ` (${innermost.code})` : "";
  const notSent = isRefused ? "fetch refused its options" : "not connected";
  const failed = outcome === "not_sent" ? notSent : "connection closed before the response was complete";
  const hint = outcome === "not_sent" ? hintFor(request.url, causes) : limitHint(causes);
  const message = `${request.method} ${path} failed: ${failed}: ${reason}${code}${hint}`;
  return new ConnectionError({ message, cause, request, outcome, retryable: !isRefused });
}

/** What to do about a connection that the URL made impossible. */
function hintFor(url: string, causes: readonly ErrorLike[]): string {
  if (/^https:..[^/]*[.]notetaker[.]test\//.test(url)) {
    return "; only the emulator's own fetch reaches this host: new Notetaker(service.clientOptions)";
  }
  const isPlainHttp = causes.some(({ code, message }) =>
    /WRONG_VERSION|PACKET_LENGTH|wrong version number/i.test(`${code} ${message}`),
  );
  return isPlainHttp ? "; the server may speak http, not https" : "";
}

const limitHint = (causes: readonly ErrorLike[]): string =>
  causes.some(({ code }) => LIMIT_OF_FETCH.test(String(code)))
    ? "; this limit is that of fetch, not timeoutMs: pass a dispatcher with headersTimeout and bodyTimeout in fetchOptions"
    : "";

/** `limit` is the name of the option that set the limit. */
export const timeoutError = (
  { request, path }: RequestTarget,
  limit: string,
  timeoutMs: number,
  facts?: Partial<CallFacts>,
): TimeoutError =>
  new TimeoutError({
    message: `${request.method} ${path} timed out after ${timeoutMs} ms (${limit})`,
    request,
    timeoutMs,
    ...facts,
  });

export function redirectError({ request, path }: RequestTarget, cause?: unknown): ConnectionError {
  const message = `${request.method} ${path} was answered with a redirect, which is refused`;
  return new ConnectionError({ message, cause, request, outcome: "rejected" });
}
