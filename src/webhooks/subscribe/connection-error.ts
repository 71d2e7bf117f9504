/** The error for a connection without a response, or one that breaks off: the next connection may succeed. */
import { errorOfRecord } from "../../errors/error-of-record.js";

/** The request that an error shows: without its query, which may carry a token. */
export const shownRequest = ({ origin, pathname }: URL) => ({ method: "GET", url: origin + pathname });

/** @param failure - What `fetch` or the stream threw. */
export function subscriptionError(url: URL, what: string, failure?: unknown): Error {
  const cause = causeWithoutSecrets(failure);
  const reason = cause?.code === undefined ? "" : `: ${cause.code}`;
  const message = `GET ${url.pathname} ${what}${reason}`;
  return errorOfRecord({ name: "ConnectionError", message, cause, request: shownRequest(url), retryable: true });
}

/** For example `ECONNREFUSED`. */
function systemCode(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return typeof code === "string" && /^[A-Z][A-Z0-9_]{1,40}$/.test(code) ? code : undefined;
}

/** A new error with the code only: the message may quote the URL or a header, and both may contain a token. */
function causeWithoutSecrets(failure: unknown): (Error & { code?: string }) | undefined {
  if (failure === undefined) return undefined;
  const code = systemCode(failure) ?? systemCode((failure as { cause?: unknown } | null)?.cause);
  return Object.assign(new Error(code ?? "the connection failed"), code && { code });
}
