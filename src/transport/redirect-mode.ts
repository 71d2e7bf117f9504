import type { FetchInit } from "./fetch.js";

let mode: FetchInit["redirect"] | undefined;

/**
 * Redirects are refused (the error is made in `connection-error-from.ts`), because one would carry the token elsewhere.
 * To be able to follow one, `fetch` in Node would also keep a whole upload in memory. Workers have no `error` mode:
 * there the redirect comes back as a response, which `read-response.ts` refuses.
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
