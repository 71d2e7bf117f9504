/** Statuses whose response has no body: for these, the constructor of `Response` refuses a body. */
const WITHOUT_BODY: ReadonlySet<number> = /* @__PURE__ */ new Set([101, 103, 204, 205, 304]);

/** The response of a finished request, as `fetch` would return it. */
export function responseFromXhr(xhr: XMLHttpRequest): Response {
  const { status, statusText, responseURL } = xhr;
  const body = WITHOUT_BODY.has(status) ? null : (xhr.response as ArrayBuffer);
  const response = new Response(body, { status, statusText, headers: parseHeaders(xhr.getAllResponseHeaders()) });
  Object.defineProperty(response, "url", { value: responseURL });
  return response;
}

/** Parses headers with one `name: value` on each line. */
function parseHeaders(lines: string): Headers {
  const headers = new Headers();
  for (const line of lines.split("\r\n")) {
    const colon = line.indexOf(":");
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  return headers;
}
