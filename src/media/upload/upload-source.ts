/** What can be uploaded. */

/** Bytes that can be read more than once: each `stream()` begins at the first byte. */
export interface StreamSource {
  stream(): ReadableStream<Uint8Array>;
  /** In bytes. Without it the upload is sent in chunks of no announced length. */
  readonly size?: number | undefined;
  /** Media type. */
  readonly type?: string | undefined;
  /** A file name, whose extension stands in for a type. */
  readonly name?: string | undefined;
}

/**
 * The bytes of an audio or video file. A `Blob` (a `File`, too), an `ArrayBuffer`, a typed array and a
 * {@link StreamSource} can be read again, so that an upload is repeated after a 429; a `ReadableStream`, an
 * `AsyncIterable` (a Node stream, too) and a `Response` are read once.
 */
export type UploadSource =
  | Blob
  | ArrayBuffer
  | ArrayBufferView
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>
  | Response
  | StreamSource;
