/** The one address that a client talks to. */
import { ConfigurationError } from "../errors/configuration-error.js";
import { httpUrl, isLoopbackHost } from "../schemas/http-url.js";

const HOW = "Set the baseUrl option or NOTETAKER_BASE_URL to an absolute address that ends in /v1.";

/** `baseUrl` without a trailing slash. Throws `ConfigurationError` when requests could not, or should not, go there. */
export function checkedBaseUrl(baseUrl: unknown): string {
  const refuse = (why: string): never => {
    throw new ConfigurationError(`The base address ${why}. ${HOW}`);
  };
  if (baseUrl === undefined || baseUrl === "") return refuse("is missing");
  const url = typeof baseUrl === "string" && httpUrl(baseUrl);
  if (!url) return refuse("is not an absolute http(s) address");
  const { protocol, hostname, username, password, pathname, href } = url;
  if (username || password || /[?#]/.test(href)) return refuse("holds credentials, a query or a hash");
  if (!/\/v1\/?$/.test(pathname)) return refuse("does not end in /v1");
  if (protocol === "http:" && !isLoopbackHost(hostname)) return refuse("is http: beyond a loopback host");
  return href.replace(/\/$/, "");
}
