/** Which URLs the library accepts, and which hosts may be used without TLS. */
import { orUndefined } from "../json/or-undefined.js";

/** Parses a URL; `undefined` if `text` is not a URL. (`URL.canParse` is missing in some runtimes.) */
export const parseUrl = (text: string, base?: string): URL | undefined => orUndefined(() => new URL(text, base));

/** Whether a host name, in the form of `URL.hostname`, is an address of this machine. */
export function isLoopbackHost(hostname: string): boolean {
  return (
    hostname === "localhost" ||
    hostname.endsWith(".localhost") ||
    hostname === "[::1]" ||
    /^127(\.\d+){3}$/.test(hostname)
  );
}

/** An absolute `http:` or `https:` URL; `undefined` for other texts, also those that `URL` would repair. */
export const httpUrl = (text: string): URL | undefined =>
  /^https?:\/\/[^/]/i.test(text) && !/[\s\p{Cc}\\]/u.test(text) ? parseUrl(text) : undefined;

/** Whether `text` is an absolute `https:` URL, or an `http:` URL of a loopback host. */
export function isSecureUrl(text: string): boolean {
  const url = httpUrl(text);
  return url?.protocol === "https:" || (url !== undefined && isLoopbackHost(url.hostname));
}
