/** The bytes of a body that have arrived. Many small chunks take no more memory than a few large ones. */
export class ReceivedBytes {
  #bytes = new Uint8Array();
  length = 0;

  add(chunk: Uint8Array<ArrayBuffer>): void {
    const length = this.length + chunk.byteLength;
    if (this.length === 0) this.#bytes = chunk;
    else {
      if (length > this.#bytes.byteLength) {
        const larger = new Uint8Array(2 * length);
        larger.set(this.#bytes.subarray(0, this.length));
        this.#bytes = larger;
      }
      this.#bytes.set(chunk, this.length);
    }
    this.length = length;
  }

  /** If they came in one chunk, they share its memory. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.length);
  }
}
