import { errorOfRecord } from "../../errors/error-of-record.js";
import { isLoopbackHost, parseUrl } from "../../links/http-url.js";

/** The message of an error does not show the URL, which may carry a token. */
export function checkedStreamUrl(url: string | URL, allowInsecureHttp = false): URL {
  const refused = (message: string) =>
    errorOfRecord({ name: "ConfigurationError", message: `subscribe: url${message}`, outcome: "not_sent" });
  // In a browser, a URL may be relative to the page.
  const page = globalThis.location;
  const parsed = parseUrl(String(url), page?.href);
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) {
    throw refused(": expected an absolute http(s) URL");
  }
  if (parsed.username !== "" || parsed.password !== "") {
    throw refused(": expected no credentials; send headers");
  }
  if (
    parsed.protocol === "http:" &&
    !allowInsecureHttp &&
    parsed.origin !== page?.origin &&
    !isLoopbackHost(parsed.hostname)
  ) {
    throw refused(": expected https:, or allowInsecureHttp");
  }
  return parsed;
}
