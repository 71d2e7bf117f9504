import { hasStreams } from "../bytes/streams.js";

/**
 * Whether a request can stream its body. A browser sets the length of a body itself; it sends no stream, or only over
 * HTTP/2. React Native has no streams.
 */
export const canStreamBody = (): boolean =>
  hasStreams() &&
  new Request("https://probe.invalid", { headers: { "content-length": "0" } }).headers.has("content-length");
