export interface PullStream {
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Fails the stream at once, even if a read is waiting. */
  fail(error: unknown): void;
}

/** Makes a stream of `first` and then `chunks`. The stream takes the next chunk only when a reader asks for it. */
export function pullStream(
  chunks: AsyncIterator<Uint8Array<ArrayBuffer>, void>,
  cancel: (reason: unknown) => void,
  first?: Uint8Array<ArrayBuffer>,
): PullStream {
  let fail!: PullStream["fail"];
  const stream = new ReadableStream(
    {
      start(controller) {
        fail = (error) => controller.error(error);
        if (first) controller.enqueue(first);
      },
      async pull(controller) {
        const { value } = await chunks.next();
        if (value) controller.enqueue(value);
        else controller.close();
      },
      cancel,
    },
    { highWaterMark: 0 },
  );
  return { stream, fail };
}
