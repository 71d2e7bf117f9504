/** A transfer in pieces, and what it takes for its memory to stay small. */

/** What goes out at once: progress is counted, and the time without progress limited, by it. */
export const PIECE = 64 * 1024;

/**
 * To be called for bytes that are done with. V8 collects young objects when they fill the space of their own, whatever
 * memory outside of it hangs on them: a transfer makes few objects and many buffers, of which 100 MiB pile up before
 * anything is collected. Short-lived arrays, three quarters as large as the bytes, make it collect in step with them,
 * in less time than it takes else. `bench/media.mjs` shows both.
 */
export function bytesSpent(bytes: number): void {
  // An element takes 8 bytes. One large array would be no young object.
  for (let left = bytes; left > 0; left -= PIECE) Array((Math.min(left, PIECE) * 3) >> 5).fill(0);
}
