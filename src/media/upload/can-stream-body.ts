import { hasStreams } from "../bytes/streams.js";

/**
 * Whether a request can stream its body. A browser sends no stream, or only over HTTP/2. A browser is recognised by its
 * `Request`, which does not let a program set `Content-Length`. React Native has no streams.
 */
export const canStreamBody = (): boolean =>
  hasStreams() &&
  new Request("https://probe.invalid", { headers: { "content-length": "0" } }).headers.has("content-length");
