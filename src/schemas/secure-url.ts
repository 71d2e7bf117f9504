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

/** Whether `value` is an absolute `https:` address, or an `http:` address of a loopback host. */
export function isSecureUrl(value: string): boolean {
  if (/[\s\p{Cc}]/u.test(value) || !/^https?:\/\//i.test(value) || !URL.canParse(value)) return false;
  const { protocol, hostname } = new URL(value);
  return protocol === "https:" || isLoopbackHost(hostname);
}
