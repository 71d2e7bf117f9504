/**
 * `value` as bytes, without a copy, if it is a buffer or a view of a buffer; else `undefined`. The tag is compared, not
 * the class, because a test runner's realm has its own class `ArrayBuffer`.
 */
export function asBytes(value: unknown): Uint8Array<ArrayBuffer> | undefined {
  if (ArrayBuffer.isView(value)) {
    return new Uint8Array(value.buffer as ArrayBuffer, value.byteOffset, value.byteLength);
  }
  const isBuffer = Object.prototype.toString.call(value) === "[object ArrayBuffer]";
  return isBuffer ? new Uint8Array(value as ArrayBuffer) : undefined;
}
