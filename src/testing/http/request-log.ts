/** Keeps the newest requests, within bounds. */
import type { RecordedRequest } from "./recorded-request.js";

const MAX_REQUESTS = 10_000;
/** The size of URLs, headers and bodies together, roughly: two bytes a character. */
const MAX_BYTES = 32 * 1024 * 1024;
/** What a request takes at least. */
const BASE_BYTES = 500;

const sizeOf = ({ url, headers, bodyBytes, body }: RecordedRequest): number => {
  let characters = url.length;
  for (const [name, value] of headers) characters += name.length + value.length;
  return BASE_BYTES + 2 * characters + (body === undefined ? 0 : 2 * Math.min(bodyBytes, 64 * 1024));
};

export class RequestLog {
  /** The oldest first. */
  readonly requests: RecordedRequest[] = [];
  readonly #sizes: number[] = [];
  #bytes = 0;

  add(request: RecordedRequest): void {
    const size = sizeOf(request);
    this.requests.push(request);
    this.#sizes.push(size);
    this.#bytes += size;
    // The newest request is kept, whatever its size.
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
