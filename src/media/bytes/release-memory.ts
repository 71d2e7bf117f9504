/** Makes V8 free the buffers of a long transfer in time, so that its memory stays small. */

/** The size of one chunk of an upload, in bytes. Each chunk that is sent counts as progress. */
export const CHUNK_BYTES = 64 * 1024;

/** The size of a number in an array of V8. */
const NUMBER_BYTES = 8;

let numbers: readonly number[] | undefined;

/**
 * Call it with the size of buffers that are no longer needed. V8 collects young objects when its space for them is
 * full, regardless of the buffers outside of that space. A transfer makes few objects and many buffers, so 100 MiB of
 * buffers accumulate before V8 collects them. This function allocates short-lived arrays of the same size as the
 * buffers, so that V8 collects at the pace of the transfer. With smaller arrays, buffers accumulate; with larger
 * arrays, V8's own space grows. `bench/cases/uploads.mjs` measures it.
 */
export function releaseMemory(bytes: number): void {
  // V8 stores numbers with a fraction as plain bytes, but whole numbers like references. With arrays of whole numbers,
  // tens of MiB remained after a full collection on a busy machine.
  numbers ??= Array(CHUNK_BYTES / NUMBER_BYTES).fill(0.5) as number[];
  // One array per chunk, because V8 does not treat a large array as a young object.
  for (let remainingBytes = bytes; remainingBytes > 0; remainingBytes -= CHUNK_BYTES) {
    numbers.slice(0, remainingBytes / NUMBER_BYTES);
  }
}
