/** A stream that asks for a piece when one is taken, and holds none. */
export interface PieceStream {
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Fails it at once, also while a piece is awaited. */
  fail(error: unknown): void;
}

export function pieceStream(
  next: () => Promise<IteratorResult<Uint8Array<ArrayBuffer>, void>>,
  cancel: (reason: unknown) => void,
): PieceStream {
  let fail!: PieceStream["fail"];
  const stream = new ReadableStream(
    {
      start(controller) {
        fail = (error) => controller.error(error);
      },
      async pull(controller) {
        const { value } = await next();
        if (value) controller.enqueue(value);
        else controller.close();
      },
      cancel,
    },
    { highWaterMark: 0 },
  );
  return { stream, fail };
}
