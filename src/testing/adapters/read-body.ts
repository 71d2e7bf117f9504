/** Reads a request's body, and keeps it up to a size: an upload of a gigabyte is counted, not held. */

/** An upload up to this size is served again as the meeting's recording. */
export const KEPT_BODY_BYTES = 16 * 1024 * 1024;

export interface ReadBody {
  /** `undefined` when the body was too long to keep. */
  bytes: Uint8Array<ArrayBuffer> | undefined;
  length: number;
}

export const noBody: ReadBody = { bytes: new Uint8Array(), length: 0 };

/** Collects the pieces of a body as they come. */
export class BodyCollector {
  #pieces: Uint8Array[] = [];
  #length = 0;

  add(piece: Uint8Array): void {
    this.#length += piece.byteLength;
    if (this.#length > KEPT_BODY_BYTES) this.#pieces = [];
    else this.#pieces.push(piece);
  }

  whole(): ReadBody {
    if (this.#length > KEPT_BODY_BYTES) return { bytes: undefined, length: this.#length };
    const bytes = new Uint8Array(this.#length);
    let offset = 0;
    for (const piece of this.#pieces) {
      bytes.set(piece, offset);
      offset += piece.byteLength;
    }
    return { bytes, length: this.#length };
  }
}

/** The body of a fetch request. */
export async function bodyOf(request: Request): Promise<ReadBody> {
  if (request.method === "GET" || request.method === "HEAD" || request.body === null) return noBody;
  // Not every browser shows a request's body as a stream.
  if (request.body === undefined || (request.headers.get("content-type") ?? "").startsWith("application/json")) {
    const bytes = new Uint8Array(await request.arrayBuffer());
    return { bytes, length: bytes.byteLength };
  }
  const collector = new BodyCollector();
  const reader = request.body.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) collector.add(read.value);
  return collector.whole();
}
