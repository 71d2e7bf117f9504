/**
 * The chunks of a stream. Leaving the loop cancels the stream. If the signal aborts, the stream is cancelled and the
 * signal's reason is thrown.
 *
 * @param onBroken - Called if the stream fails, even while no chunk is being read.
 */
export async function* readChunks<T>(
  stream: ReadableStream<T>,
  signal: AbortSignal,
  onBroken = () => {},
): AsyncGenerator<T, void, undefined> {
  const reader = stream.getReader();
  reader.closed.catch(onBroken);
  const cancel = () => void reader.cancel(signal.reason).catch(() => {});
  signal.addEventListener("abort", cancel);
  if (signal.aborted) cancel();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (signal.aborted) throw signal.reason;
      if (done) return;
      yield value;
    }
  } finally {
    signal.removeEventListener("abort", cancel);
    cancel();
  }
}
