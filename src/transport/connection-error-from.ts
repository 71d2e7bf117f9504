/** The errors for a request that got no response: what `fetch` threw, a timeout, a redirect. */
import type { RequestSummary } from "../errors/api-error.js";
import { ConnectionError } from "../errors/connection-error.js";
import { type ErrorLike, isErrorLike } from "../errors/error-like.js";
import { oneLine } from "../errors/format-message.js";
import type { Outcome } from "../errors/notetaker-error.js";
import { TimeoutError } from "../errors/timeout-error.js";

/** Codes of a connection that was never made, as Node, Bun and OpenSSL spell them: nothing reached the service. */
const NEVER_CONNECTED = new Set([
  "ConnectionRefused",
  "EADDRNOTAVAIL",
  "EAI_AGAIN",
  "EAI_FAIL",
  "EAI_NODATA",
  "EAI_NONAME",
  "ECONNREFUSED",
  "EHOSTDOWN",
  "EHOSTUNREACH",
  "ENETDOWN",
  "ENETUNREACH",
  "ENOTFOUND",
  "FailedToOpenSocket",
  "UND_ERR_CONNECT_TIMEOUT",
  // The certificate was refused before the request went out.
  "CERT_CHAIN_TOO_LONG",
  "CERT_HAS_EXPIRED",
  "CERT_NOT_YET_VALID",
  "CERT_REJECTED",
  "CERT_REVOKED",
  "CERT_SIGNATURE_FAILURE",
  "CERT_UNTRUSTED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "ERR_TLS_CERT_ALTNAME_INVALID",
  "HOSTNAME_MISMATCH",
  "INVALID_CA",
  "INVALID_PURPOSE",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  // The two ends could not agree on how to speak TLS.
  "ERR_SSL_HTTP_REQUEST",
  "ERR_SSL_NO_PROTOCOLS_AVAILABLE",
  "ERR_SSL_PACKET_LENGTH_TOO_LONG",
  "ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE",
  "ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE",
  "ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION",
  "ERR_SSL_TLSV1_UNRECOGNIZED_NAME",
  "ERR_SSL_TLSV1_ALERT_UNRECOGNIZED_NAME",
  "ERR_SSL_UNSUPPORTED_PROTOCOL",
  "ERR_SSL_WRONG_VERSION_NUMBER",
]);

/** System calls that come before the first byte is sent. */
const CONNECTING = new Set(["connect", "getaddrinfo"]);

/** Messages that name the case, where a runtime gives no code. */
const NEVER_CONNECTED_MESSAGE =
  /before secure TLS connection was established|wrong version number|dns error|tcp connect error|invalid peer certificate/i;

/** How many causes below each other are looked at. */
const MAX_DEPTH = 5;

/** An error and its causes, from the outside in. Node puts the system error inside a `TypeError: fetch failed`. */
function causesOf(error: unknown): ErrorLike[] {
  const causes: ErrorLike[] = [];
  let cause = error;
  while (isErrorLike(cause) && causes.length < MAX_DEPTH) {
    causes.push(cause);
    cause = cause.errors?.[0] ?? cause.cause;
  }
  return causes;
}

function neverConnected(error: ErrorLike): boolean {
  if (NEVER_CONNECTED.has(String(error.code))) return true;
  if (CONNECTING.has(String((error as { syscall?: unknown }).syscall))) return true;
  return NEVER_CONNECTED_MESSAGE.test(error.message);
}

/** The error for what `fetch` threw. `path` stands in its message. */
export function connectionErrorFrom(cause: unknown, request: RequestSummary, path: string): ConnectionError {
  const causes = causesOf(cause);
  const isRedirect = causes.some(({ message }) => /unexpected ?redirect|redirect mode/i.test(message));
  if (isRedirect) return redirectError(request, path, cause);
  const outcome: Outcome = causes.some(neverConnected) ? "not_sent" : "unknown";
  const innermost = causes.at(-1);
  const reason = oneLine(innermost?.message || String(cause), 200);
  const code = typeof innermost?.code === "string" && !reason.includes(innermost.code) ? ` (${innermost.code})` : "";
  const failed =
    outcome === "not_sent" ? "failed: not connected" : "failed: connection closed before the response was complete";
  const message = `${request.method} ${path} ${failed}: ${reason}${code}`;
  return new ConnectionError(message, { cause, request, outcome, retryable: true });
}

/** `target` is a path, or what stands in its place in a message; `limit` is the option that set the limit. */
export const timeoutError = (request: RequestSummary, target: string, limit: string, timeoutMs: number): TimeoutError =>
  new TimeoutError(`${request.method} ${target} timed out after ${timeoutMs} ms (${limit})`, { request, timeoutMs });

export function redirectError(request: RequestSummary, path: string, cause?: unknown): ConnectionError {
  const message = `${request.method} ${path} was answered with a redirect, which is refused`;
  return new ConnectionError(message, { cause, request, outcome: "rejected", retryable: false });
}
