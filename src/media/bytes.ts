/** `fetch` decompresses, so the length is unknown. `aws-chunked` says only how a file was uploaded. */
export const isUncompressed = (headers: Headers) =>
  !/(?:^|,) *(?:x-)?(?:gzip|deflate|compress|br|zstd|dcb|dcz) *(?:,|$)/i.test(headers.get("content-encoding") ?? "");

export function contentLength(headers: Headers): number | undefined {
  const length = headers.get("content-length") ?? "";
  return /^\d{1,15}$/.test(length) && isUncompressed(headers) ? Number(length) : undefined;
}

/** React Native and jest's jsdom environment have no streams. */
export const hasStreams = (): boolean => typeof ReadableStream !== "undefined";

export const NO_STREAMS = "this runtime has no streams (ReadableStream)";

/** A browser cannot, or only over HTTP/2: its `Request` refuses `Content-Length`. React Native has no streams. */
export const canStreamBody = (): boolean =>
  hasStreams() &&
  new Request("https://probe.invalid", { headers: { "content-length": "0" } }).headers.has("content-length");

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
