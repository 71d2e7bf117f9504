/** The error of a failed capture, without private content. */
import { UsageError } from "../../command-line.js";

import { RateLimitedError } from "../../errors/api-error.js";
import { ConnectionError, ResponseValidationError, TimeoutError } from "../../errors/call-errors.js";
import { isErrorLike } from "../../errors/error-record.js";
import { NotetakerError } from "../../errors/notetaker-error.js";
import { EmulatorError } from "../emulator-error.js";

/** How many levels of causes are searched. Node puts the system error inside a `TypeError: fetch failed`. */
const MAX_DEPTH = 5;

/**
 * The error that the command prints for a failed capture. It names the request and the reason. It does not contain the
 * message of the original error, which could repeat an id or a title of the account.
 */
export function captureFailure(error: unknown): Error {
  if (error instanceof EmulatorError || error instanceof UsageError) return error;
  const { name, status, code, request, message } = error as Partial<Record<string, unknown>> & { message?: string };
  // This message is safe: it names a missing setting, and nothing was read yet.
  if (name === "ConfigurationError") return new UsageError(message ?? "");
  const facts = [name ?? "Error", status === undefined ? undefined : `status ${status}`, code, requestOf(request)];
  const reason = error instanceof NotetakerError ? reasonOf(error) : undefined;
  const summary = facts.filter((fact) => fact !== undefined).join(", ");
  return new EmulatorError(
    `capture failed: ${summary}${reason === undefined ? "" : `: ${reason}`}; no file was written`,
  );
}

/** For example `GET /meetings/…/transcript`: no ids and no query. */
function requestOf(request: unknown): string | undefined {
  const { method, url } = (request ?? {}) as { method?: string; url?: string };
  const path = /\/v1(\/[^?#]*)/.exec(url ?? "")?.[1];
  return path && `${method} ${path.replace(/[^/]+/g, (segment) => (/^[a-z-]+$/.test(segment) ? segment : "…"))}`;
}

function reasonOf(error: NotetakerError): string | undefined {
  if (error instanceof ConnectionError) return systemCodeOf(error) ?? "the connection was lost";
  if (error instanceof TimeoutError) return `no response within ${error.timeoutMs} ms`;
  if (error instanceof RateLimitedError && error.retryAfterMs !== undefined) {
    return `the service asks for a wait of ${Math.ceil(error.retryAfterMs / 1_000)} s`;
  }
  if (error instanceof ResponseValidationError) return error.issues[0]?.message;
  return undefined;
}

/** For example `ECONNREFUSED`. */
function systemCodeOf(error: unknown): string | undefined {
  let cause = error;
  for (let depth = 0; isErrorLike(cause) && depth < MAX_DEPTH; depth += 1) {
    if (typeof cause.code === "string" && /^[A-Z_]+$/.test(cause.code)) return cause.code;
    cause = cause.errors?.[0] ?? cause.cause;
  }
  return undefined;
}
