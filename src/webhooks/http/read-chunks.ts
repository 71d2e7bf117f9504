/**
 * The chunks of a stream. Whoever leaves the loop cancels the stream; so does the signal, whose reason is then thrown.
 *
 * @param onBroken - Called when the stream fails, also while nobody reads.
 */
export async function* readChunks<T>(
  stream: ReadableStream<T>,
  signal: AbortSignal,
  onBroken = () => {},
): AsyncGenerator<T, void, undefined> {
  const reader = stream.getReader();
  reader.closed.catch(onBroken);
  const stop = () => void reader.cancel(signal.reason).catch(() => {});
  signal.addEventListener("abort", stop);
  if (signal.aborted) stop();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) return;
      yield value;
    }
  } finally {
    signal.removeEventListener("abort", stop);
    stop();
  }
}
