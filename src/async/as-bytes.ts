/** A buffer or a view as bytes, without a copy. Compares the tag: a test runner's realm has its own class. */
export function asBytes(value: unknown): Uint8Array<ArrayBuffer> | undefined {
  if (ArrayBuffer.isView(value)) {
    return new Uint8Array(value.buffer as ArrayBuffer, value.byteOffset, value.byteLength);
  }
  const isBuffer = Object.prototype.toString.call(value) === "[object ArrayBuffer]";
  return isBuffer ? new Uint8Array(value as ArrayBuffer) : undefined;
}
