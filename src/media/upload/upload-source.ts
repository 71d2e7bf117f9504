/** The sources that can be uploaded. */

/** Bytes that can be read more than once: each `stream()` starts at the first byte. */
export interface StreamSource {
  /** Opens the source. */
  stream(): ReadableStream<Uint8Array>;
  /** The size in bytes. Without it, the upload is sent in chunks, without a `Content-Length`. */
  readonly size?: number | undefined;
  /** The media type. */
  readonly type?: string | undefined;
  /** A file name. Its extension is used if there is no type. */
  readonly name?: string | undefined;
}

/**
 * The bytes of an audio or video file. A `Blob`, a `File`, an `ArrayBuffer`, a typed array and a {@link StreamSource}
 * can be read again, so that an upload can be repeated after a 429. A `ReadableStream`, an `AsyncIterable` (for example
 * a `node:stream` Readable) and a `Response` can be read only once.
 */
export type UploadSource =
  | Blob
  | ArrayBuffer
  | ArrayBufferView
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>
  | Response
  | StreamSource;
