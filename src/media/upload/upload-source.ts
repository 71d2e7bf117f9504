/** What can be uploaded. */

/** Bytes that can be read more than once: each `stream()` starts at the first byte. */
export interface StreamSource {
  /** Opens the source. */
  stream(): ReadableStream<Uint8Array>;
  /** In bytes. Without it the upload is sent in chunks, and its length is not announced. */
  readonly size?: number | undefined;
  /** Media type. */
  readonly type?: string | undefined;
  /** A file name. Its extension is used if there is no type. */
  readonly name?: string | undefined;
}

/**
 * The bytes of an audio or video file. A `Blob`, a `File`, an `ArrayBuffer`, a typed array and a {@link StreamSource}
 * can be read again, so that an upload is repeated after a 429. A `ReadableStream`, an `AsyncIterable` (for example a
 * `node:stream` Readable) and a `Response` are read once.
 */
export type UploadSource =
  | Blob
  | ArrayBuffer
  | ArrayBufferView
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>
  | Response
  | StreamSource;
