import { ConfigurationError } from "../errors/argument-errors.js";
import { sendXhr } from "./send-xhr.js";

/** The type of the function that {@link xhrFetch} returns, for the client's option `fetch`. */
export type XhrFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/**
 * Returns a `fetch` for web pages that reports the progress of uploads: `onProgress` is called whenever the browser
 * reports progress, and `timeoutMs` limits the time without progress. Requests with a body are sent with
 * `XMLHttpRequest`, all others with the page's `fetch`.
 *
 * `XMLHttpRequest` follows redirects. A redirected upload rejects with a `ConnectionError` whose `outcome` is
 * `unknown`. Guide: docs/uploads-and-recordings.md#in-the-browser.
 * @throws {ConfigurationError} outside of a web page, where `XMLHttpRequest` is missing
 * @example
 * const notetaker = new Notetaker({ baseUrl, token, fetch: xhrFetch() });
 * await notetaker.meetings.upload(file, {}, { onProgress: ({ sentBytes, totalBytes }) => show(sentBytes, totalBytes)
 * });
 */
export function xhrFetch(): XhrFetch {
  if (typeof XMLHttpRequest === "undefined") {
    throw new ConfigurationError({
      message:
        "xhrFetch needs a page: there is no XMLHttpRequest. Leave out the fetch option in Node and in service workers.",
    });
  }
  return async (url, init = {}) => {
    if (init.body === undefined || init.body === null) return globalThis.fetch(url, init);
    const body = init.body instanceof ReadableStream ? await new Response(init.body).blob() : init.body;
    return sendXhr(new URL(url, globalThis.location?.href), init, body);
  };
}
