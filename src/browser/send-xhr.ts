import { abortReason, throwIfAborted } from "../async/abort.js";
import { UPLOAD_PROGRESS, type UploadProgressInit } from "../upload-progress.js";

export function sendXhr(
  url: URL,
  init: RequestInit & UploadProgressInit,
  body: XMLHttpRequestBodyInit,
): Promise<Response> {
  const { method = "GET", signal } = init;
  return new Promise((resolve, reject) => {
    throwIfAborted(signal ?? undefined);
    const xhr = new XMLHttpRequest();
    const abort = () => {
      reject(signal && abortReason(signal));
      xhr.abort();
    };
    signal?.addEventListener("abort", abort, { once: true });
    xhr.onloadend = () => signal?.removeEventListener("abort", abort);
    xhr.onerror = () => reject(new TypeError("the connection failed"));
    xhr.onload = () => {
      const problem = redirectProblem(xhr.responseURL, url);
      try {
        if (problem !== undefined) throw new TypeError(problem);
        resolve(responseFromXhr(xhr));
      } catch (error) {
        // `Response` has no status above 599, for example.
        reject(error);
      }
    };
    const onUploadProgress = init[UPLOAD_PROGRESS];
    if (onUploadProgress) xhr.upload.onprogress = ({ loaded }) => onUploadProgress(loaded);

    xhr.open(method, url.href);
    xhr.responseType = "arraybuffer";
    xhr.withCredentials = init.credentials === "include";
    for (const [name, value] of new Headers(init.headers)) {
      // The browser sets the length itself, and logs a console error if a script sets it.
      if (name !== "content-length") xhr.setRequestHeader(name, value);
    }
    xhr.send(body);
  });
}

/** The message if a redirect was followed. Only the origin is shown, because the rest may contain secrets. */
function redirectProblem(responseUrl: string, requested: URL): string | undefined {
  const expected = new URL(requested);
  expected.hash = "";
  if (responseUrl === "" || responseUrl === expected.href) return undefined;
  return `XMLHttpRequest followed a redirect to ${new URL(responseUrl).origin}`;
}

/** For these, the constructor of `Response` refuses a body. */
const WITHOUT_BODY: readonly number[] = [204, 205, 304];

function responseFromXhr(xhr: XMLHttpRequest): Response {
  const { status, statusText, responseURL } = xhr;
  const body = WITHOUT_BODY.includes(status) ? null : (xhr.response as ArrayBuffer);
  const response = new Response(body, { status, statusText, headers: parseHeaders(xhr.getAllResponseHeaders()) });
  Object.defineProperty(response, "url", { value: responseURL });
  return response;
}

function parseHeaders(lines: string): Headers {
  const headers = new Headers();
  for (const [, name, value] of lines.matchAll(/^(.+?):(.*)$/gm)) headers.append(name as string, value as string);
  return headers;
}
