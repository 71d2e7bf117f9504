export interface PieceStream {
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Fails it at once, also while a piece is awaited. */
  fail(error: unknown): void;
}

/** A stream of `first` and of `pieces`, which asks for a piece when one is taken. */
export function pieceStream(
  pieces: AsyncIterator<Uint8Array<ArrayBuffer>, void>,
  cancel: (reason: unknown) => void,
  first?: Uint8Array<ArrayBuffer>,
): PieceStream {
  let fail!: PieceStream["fail"];
  const stream = new ReadableStream(
    {
      start(controller) {
        fail = (error) => controller.error(error);
        if (first) controller.enqueue(first);
      },
      async pull(controller) {
        const { value } = await pieces.next();
        if (value) controller.enqueue(value);
        else controller.close();
      },
      cancel,
    },
    { highWaterMark: 0 },
  );
  return { stream, fail };
}
