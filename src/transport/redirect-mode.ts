import type { FetchInit } from "./fetch.js";

let mode: FetchInit["redirect"] | undefined;

/**
 * The `redirect` mode of every request. Redirects are refused, because a redirect would send the token to another host.
 * Also, if `fetch` in Node may follow a redirect, it keeps a whole upload in memory. In the mode `error`, `fetch`
 * rejects, and `connection-error-from.ts` makes the error. Cloudflare Workers do not support this mode: there `fetch`
 * returns the redirect, and `read-response.ts` refuses it.
 */
export function redirectMode(): FetchInit["redirect"] {
  mode ??= supportedMode();
  return mode;
}

function supportedMode(): FetchInit["redirect"] {
  try {
    return new Request("https://probe.invalid", { redirect: "error" }).redirect === "manual" ? "manual" : "error";
  } catch {
    return "manual";
  }
}
