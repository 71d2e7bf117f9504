/**
 * Reads a request's body. A body above a size limit is only counted, so that an upload of a gigabyte does not fill the
 * memory.
 */

/** The size limit, in bytes. An upload up to this size is kept, and served as the recording of its meeting. */
const KEPT_BODY_BYTES = 16 * 1024 * 1024;

export interface BodyBytes {
  /** `undefined` if the body was too long to keep. */
  bytes: Uint8Array<ArrayBuffer> | undefined;
  length: number;
}

/** Collects the chunks of a body as they arrive. */
export class BodyCollector {
  #chunks: Uint8Array[] = [];
  #length = 0;

  add(chunk: Uint8Array): void {
    this.#length += chunk.byteLength;
    if (this.#length > KEPT_BODY_BYTES) this.#chunks = [];
    else this.#chunks.push(chunk);
  }

  body(): BodyBytes {
    if (this.#length > KEPT_BODY_BYTES) return { bytes: undefined, length: this.#length };
    const bytes = new Uint8Array(this.#length);
    let offset = 0;
    for (const chunk of this.#chunks) {
      bytes.set(chunk, offset);
      offset += chunk.byteLength;
    }
    return { bytes, length: this.#length };
  }
}

/** The body of a fetch request. */
export async function readRequestBody(request: Request): Promise<BodyBytes> {
  if (request.method === "GET" || request.method === "HEAD" || request.body === null) {
    return { bytes: new Uint8Array(), length: 0 };
  }
  // Some browsers do not expose a request's body as a stream.
  if (request.body === undefined || (request.headers.get("content-type") ?? "").startsWith("application/json")) {
    const bytes = new Uint8Array(await request.arrayBuffer());
    return { bytes, length: bytes.byteLength };
  }
  const collector = new BodyCollector();
  const reader = request.body.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) collector.add(read.value);
  return collector.body();
}
