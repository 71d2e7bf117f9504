import { ConfigurationError } from "../errors/argument-errors.js";
import { httpUrl, isLoopbackHost } from "../links/http-url.js";

const HOW_TO_SET = "Set the baseUrl option or NOTETAKER_BASE_URL to an absolute URL that ends in /v1.";

const refuse = (problem: string, wayOut = HOW_TO_SET): never => {
  throw new ConfigurationError({ message: `baseUrl ${problem}. ${wayOut}` });
};

/** Without a trailing slash. */
export function checkedBaseUrl(baseUrl: unknown, allowInsecureHttp: boolean): string {
  if (baseUrl === undefined || baseUrl === "") return refuse("is missing");
  if (typeof baseUrl !== "string") return refuse("is not a string");
  const url = httpUrl(baseUrl);
  if (!url) return refuse("is not an absolute http(s) URL");
  const { protocol, hostname, username, password, pathname, href } = url;
  if (username || password || /[?#]/.test(href)) return refuse("must not contain credentials, a query or a hash");
  if (!/\/v1\/?$/.test(pathname)) return refuse("does not end in /v1");
  if (protocol === "http:" && !allowInsecureHttp && !isLoopbackHost(hostname)) {
    const wayOut = "Use https:, or set allowInsecureHttp: true if the token may travel unencrypted";
    return refuse("uses http:, which is allowed only for loopback hosts such as localhost", `${wayOut}.`);
  }
  return href.replace(/\/$/, "");
}
