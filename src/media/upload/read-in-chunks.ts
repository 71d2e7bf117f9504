import type { ByteReader, ReadResult } from "../../async/byte-reader.js";
import { kindOf } from "../../schemas/format-issues.js";
import { asBytes } from "../bytes.js";

/** The size of one chunk of an upload, in bytes. Each chunk that is sent counts as progress. */
const CHUNK_BYTES = 64 * 1024;

/** Reads a source in chunks of at most `CHUNK_BYTES`. Throws if the source does not have exactly `size` bytes. */
export async function* readInChunks(
  reader: ByteReader,
  size: number | undefined,
  first?: ReadResult,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  let readBytes = 0;
  let result = first ?? (await reader.read());
  while (result.done !== true) {
    const bytes = asBytes(result.value);
    if (bytes === undefined) throw new TypeError(`expected bytes, received ${kindOf(result.value)}`);
    readBytes += bytes.byteLength;
    if (size !== undefined && readBytes > size) throw sizeError(`${readBytes} bytes or more`, size);
    for (let start = 0; start < bytes.byteLength; start += CHUNK_BYTES) {
      yield bytes.subarray(start, start + CHUNK_BYTES);
    }
    result = await reader.read();
  }
  if (size !== undefined && readBytes < size) throw sizeError(`${readBytes} bytes`, size);
}

const sizeError = (actual: string, size: number) =>
  new RangeError(`the source has ${actual}, but its size is given as ${size}`);
