/** Keeps the newest requests, up to a number and a total size. */
import { KEPT_BODY_BYTES, type RecordedRequest } from "./recorded-request.js";

const MAX_REQUESTS = 10_000;
/** The maximum size of URLs, headers and bodies together. It is an estimate, with two bytes for each character. */
const MAX_BYTES = 32 * 1024 * 1024;
/** The minimum size of a request. */
const BASE_BYTES = 500;

export class RequestLog {
  /** The oldest first. */
  readonly requests: RecordedRequest[] = [];
  readonly #sizes: number[] = [];
  #bytes = 0;

  /** `headerBytes` is the size of the headers, if they can be large. */
  add(request: RecordedRequest, headerBytes = 0): void {
    const bodyBytes = request.body === undefined ? 0 : 2 * Math.min(request.bodyBytes, KEPT_BODY_BYTES);
    const size = BASE_BYTES + 2 * request.url.length + 2 * headerBytes + bodyBytes;
    this.requests.push(request);
    this.#sizes.push(size);
    this.#bytes += size;
    // The newest request is always kept, even a very large one.
    while (this.requests.length > MAX_REQUESTS || (this.#bytes > MAX_BYTES && this.requests.length > 1)) {
      this.requests.shift();
      this.#bytes -= this.#sizes.shift() ?? 0;
    }
  }

  replace(requests: readonly RecordedRequest[]): void {
    this.requests.length = 0;
    this.#sizes.length = 0;
    this.#bytes = 0;
    for (const request of requests) this.add(request);
  }
}
