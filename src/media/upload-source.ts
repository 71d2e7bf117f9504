/** What can be uploaded, and how the bytes are got out of it. */
import type { BodyContent } from "../transport/operation.js";

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

/** One reading of a source. */
export interface ByteReader {
  read(): Promise<{ done?: boolean | undefined; value?: unknown }>;
  /** Reads no further, and lets the source go. */
  close(reason: unknown): void;
}

export interface ByteSource {
  /** Of the source itself. */
  readonly type?: string | undefined;
  readonly name?: string | undefined;
  readonly repeatable: boolean;
  /** Where the bytes are at hand, what can be sent as it is. */
  readonly whole?: BodyContent;
  /** In bytes. Asked for each attempt: a file may have changed. */
  size(): number | undefined;
  open(): ByteReader;
}

const words = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined);
const length = (value: unknown) =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined;
/** `value` as bytes, where it is a buffer or a view of one. */
export function bytesOf(value: unknown): Uint8Array<ArrayBuffer> | undefined {
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  return ArrayBuffer.isView(value)
    ? new Uint8Array(value.buffer as ArrayBuffer, value.byteOffset, value.byteLength)
    : undefined;
}

const quietly = (ending: unknown) => void Promise.resolve(ending).catch(() => {});

const isStream = (value: unknown): value is ReadableStream =>
  typeof (value as ReadableStream | null)?.getReader === "function";

function readerOf(bytes: ReadableStream | AsyncIterable<unknown>): ByteReader {
  if (isStream(bytes)) {
    const reader = bytes.getReader();
    return { read: () => reader.read(), close: (reason) => quietly(reader.cancel(reason)) };
  }
  const iterator = bytes[Symbol.asyncIterator]();
  return {
    read: () => iterator.next(),
    close() {
      // A generator that waits for its next value hears of `return` only afterwards; a Node stream ends at once.
      (bytes as { destroy?(): void }).destroy?.();
      quietly(iterator.return?.());
    },
  };
}

/** Bytes that are read once. The reader is taken now, so that the source is closed even if it is never read. */
function once(bytes: ReadableStream | AsyncIterable<unknown>, more: Partial<ByteSource>): ByteSource {
  const reader = readerOf(bytes);
  return { size: () => undefined, ...more, repeatable: false, open: () => reader };
}

async function* only(bytes: Uint8Array) {
  yield bytes;
}

const EXPECTED =
  "expected a Blob, a File, an ArrayBuffer, a typed array, a ReadableStream, an async iterable, a Response or an object with stream()";

/** `source` in the one form that the rest of the library knows, or what is wrong with it. */
export function byteSource(source: unknown): ByteSource | string {
  const { stream, type, name, path } = Object(source) as Record<string, unknown>;
  const told = { type: words(type), name: words(name) ?? words(path) };

  const whole = bytesOf(source);
  if (whole !== undefined) {
    return { repeatable: true, whole, size: () => whole.byteLength, open: () => readerOf(only(whole)) };
  }
  if (source instanceof Response) {
    const { ok, status, headers, body, url } = source;
    if (!ok) return `expected a successful response, received status ${status}`;
    if (body === null || source.bodyUsed || body.locked) return "is a response without a body, or whose body is read";
    // The length of an encoded body is not that of the bytes that come out of it.
    const announced = headers.has("content-encoding") ? null : headers.get("content-length");
    return once(body, {
      type: words(headers.get("content-type")),
      name: words(url) && new URL(url).pathname,
      size: () => (announced === null ? undefined : length(Number(announced))),
    });
  }
  if (typeof stream === "function") {
    const again = source as StreamSource;
    return {
      ...told,
      repeatable: true,
      ...(source instanceof Blob ? { whole: source } : {}),
      size: () => length(again.size),
      open: () => readerOf(again.stream()),
    };
  }
  if (isStream(source)) return source.locked ? "is a stream that is read already" : once(source, told);
  if (typeof (source as AsyncIterable<unknown> | null | undefined)?.[Symbol.asyncIterator] === "function") {
    return once(source as AsyncIterable<unknown>, told);
  }
  return typeof source === "string" ? `${EXPECTED}; for a path, fromPath of notetaker-sdk/node makes one` : EXPECTED;
}
