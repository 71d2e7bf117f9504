/** Which URLs the library accepts, and which of them may do without TLS. */

/** The URL that `text` is, or `undefined`. (`URL.canParse` is missing in some runtimes.) */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

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
 * An absolute `http:` or `https:` URL; `undefined` for anything else, also for text that `URL` would have to repair.
 */
export const httpUrl = (text: string): URL | undefined =>
  /^https?:\/\/[^/]/i.test(text) && !/[\s\p{Cc}\\]/u.test(text) ? parseUrl(text) : undefined;

/** Whether `text` is an absolute `https:` URL, or an `http:` URL of a loopback host. */
export function isSecureUrl(text: string): boolean {
  const url = httpUrl(text);
  return url?.protocol === "https:" || (url !== undefined && isLoopbackHost(url.hostname));
}
