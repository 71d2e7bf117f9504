let mode: RequestRedirect | undefined;

/**
 * Redirects are refused: one would carry the token elsewhere (and for its sake `fetch` in Node keeps a whole upload in
 * memory). Workers have no `error` mode: there the redirect comes back as a response, and is refused as one.
 */
export function redirectMode(): RequestRedirect {
  mode ??= supportedMode();
  return mode;
}

function supportedMode(): RequestRedirect {
  try {
    return new Request("https://probe.invalid", { redirect: "error" }).redirect ?? "error";
  } catch {
    return "manual";
  }
}
