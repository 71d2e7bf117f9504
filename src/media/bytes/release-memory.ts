/** Keeps the memory of a long transfer small. */

/** The size of one chunk on its way to the service. Progress is counted in chunks, and so is the time without it. */
export const CHUNK_BYTES = 64 * 1024;

/** The size of a number in an array of V8. */
const NUMBER_BYTES = 8;

let numbers: readonly number[] | undefined;

/**
 * Call it with the size of buffers that are no longer needed. V8 collects young objects when their own space is full,
 * whatever memory outside of it they hold: a transfer makes few objects and many buffers, of which 100 MiB accumulate
 * before anything is collected. Short-lived arrays, as large as the bytes, make V8 collect in step with the transfer:
 * with smaller ones buffers pile up, with larger ones V8's space grows.
 * `bench/cases/uploads.mjs` measures it.
 */
export function releaseMemory(bytes: number): void {
  // V8 stores numbers with a fraction as plain bytes, and whole numbers like references. Of arrays of whole numbers, a
  // full collection on a busy machine kept tens of MiB.
  numbers ??= Array(CHUNK_BYTES / NUMBER_BYTES).fill(0.5) as number[];
  // In steps of a chunk: one large array would not be a young object.
  for (let remainingBytes = bytes; remainingBytes > 0; remainingBytes -= CHUNK_BYTES) {
    numbers.slice(0, remainingBytes / NUMBER_BYTES);
  }
}
