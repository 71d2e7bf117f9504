/** Which addresses may be used without TLS: those of this machine. */

/** Whether a host name, as `URL.hostname` gives it, is an address of this machine. */
export function isLoopbackHost(hostname: string): boolean {
  return (
    hostname === "localhost" ||
    hostname.endsWith(".localhost") ||
    hostname === "[::1]" ||
    /^127(\.\d+){3}$/.test(hostname)
  );
}

/**
 * An absolute `http:` or `https:` address; `undefined` for anything else, also for what `URL` would only accept after
 * mending it.
 */
export const httpUrl = (value: string): URL | undefined =>
  /^https?:\/\/[^/]/i.test(value) && !/[\s\p{Cc}\\]/u.test(value) && URL.canParse(value) ? new URL(value) : undefined;

/** Whether `value` is an absolute `https:` address, or an `http:` address of a loopback host. */
export function isSecureUrl(value: string): boolean {
  const url = httpUrl(value);
  return url?.protocol === "https:" || (url !== undefined && isLoopbackHost(url.hostname));
}
