/** The errors of a subscription. After a `retryable` one, the next connection may succeed. */
import type { ErrorMaker } from "../../errors/error-of-name.js";
import { isErrorLike } from "../../errors/error-record.js";
import { isTemporaryStatus } from "../../errors/is-temporary.js";
import type { StreamResponse } from "./subscribe-options.js";

export type StreamErrors = ReturnType<typeof streamErrors>;

const NAME_BY_STATUS: Readonly<Record<number, string>> = { 401: "UnauthorizedError", 403: "ForbiddenError" };

/** The errors show the URL without its query, which may carry a token. */
export function streamErrors(url: URL, makeError: ErrorMaker) {
  const request = { method: "GET", url: url.origin + url.pathname };
  const unusable = (reason: string, message: string) =>
    makeError("WebhookVerificationError", message, { reason, outcome: "rejected" });

  return {
    /** The runtime's error is not shown, because it quotes the value, which may be a token. */
    invalidHeaders: () =>
      makeError("ConfigurationError", "subscribe: headers: expected valid HTTP headers", { outcome: "not_sent" }),

    /** `fetch` threw `failure`, the stream broke off with it, or nothing arrived. */
    connection(what: string, failure?: unknown): Error {
      const cause = causeWithoutSecrets(failure);
      const reason = cause?.code === undefined ? "" : `: ${cause.code}`;
      return makeError("ConnectionError", `GET ${url.pathname} ${what}${reason}`, { cause, request, retryable: true });
    },

    /** The response is no stream. */
    response({ ok, status, headers }: StreamResponse): Error {
      const summary = `GET ${url.pathname} responded ${status}`;
      if (ok) return unusable("not_an_event", `${summary} without text/event-stream`);
      return makeError(NAME_BY_STATUS[status] ?? "ApiError", summary, {
        // In a browser, a redirect that is not followed has the status 0.
        status,
        headers,
        attempts: 1,
        outcome: status < 500 ? "rejected" : "unknown",
        // The body is not read, so its code is not known.
        code: undefined,
        request,
        retryable: status === 408 || isTemporaryStatus(status),
      });
    },

    notAnEvent: () => unusable("not_an_event", "expected a JSON object as the body"),

    tooLarge: (maxEventBytes: number) =>
      unusable("too_large", `expected events of at most ${maxEventBytes} bytes, received a larger one`),
  };
}

/** The code of an error, if it looks like a system error's, for example `ECONNREFUSED`. */
const codeOf = (error: unknown): string | undefined =>
  isErrorLike(error) && typeof error.code === "string" && /^[A-Z][A-Z0-9_]{1,40}$/.test(error.code)
    ? error.code
    : undefined;

/**
 * A copy of a cause with its name and code only. The message may quote the URL or a header, and both may contain a
 * token.
 */
function causeWithoutSecrets(cause: unknown): (Error & { code?: string }) | undefined {
  if (!isErrorLike(cause)) return undefined;
  const code = codeOf(cause) ?? codeOf(cause.cause);
  const name = /^\w{1,60}$/.test(cause.name) ? cause.name : "Error";
  return Object.assign(new Error(code ?? "the connection failed"), { name }, code && { code });
}
