/** How the bytes are got out of what can be uploaded. */
import type { BodyContent } from "../../transport/operation.js";
import { contentLength } from "../bytes/content-length.js";
import type { StreamSource } from "./upload-source.js";

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

/** `value` as bytes, where it is a buffer or a view of one. */
export function bytesOf(value: unknown): Uint8Array<ArrayBuffer> | undefined {
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  if (!ArrayBuffer.isView(value)) return undefined;
  return new Uint8Array(value.buffer as ArrayBuffer, value.byteOffset, value.byteLength);
}

const textOf = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined);
const quietly = (ending: unknown) => void Promise.resolve(ending).catch(() => {});

const has = (value: unknown, method: PropertyKey) =>
  typeof (value as Record<PropertyKey, unknown> | null | undefined)?.[method] === "function";

function readerOf(bytes: unknown): ByteReader {
  if (has(bytes, "getReader")) {
    const reader = (bytes as ReadableStream).getReader();
    return { read: () => reader.read(), close: (reason) => quietly(reader.cancel(reason)) };
  }
  const iterator = (bytes as AsyncIterable<unknown>)[Symbol.asyncIterator]();
  return {
    read: () => iterator.next(),
    close() {
      // A generator that waits for its next value hears of `return` only afterwards; a Node stream ends at once.
      (bytes as { destroy?(): void }).destroy?.();
      quietly(iterator.return?.());
    },
  };
}

async function* only(bytes: Uint8Array) {
  yield bytes;
}

/** What a response tells of its body. */
const toldBy = ({ headers, url }: Response) => ({
  type: headers.get("content-type"),
  name: url && new URL(url).pathname,
  size: contentLength(headers),
});

/** `source` in the one form that the rest of the library knows, or what is wrong with it. */
export function byteSource(source: unknown): ByteSource | string {
  const whole = bytesOf(source);
  if (whole !== undefined) {
    return { repeatable: true, whole, size: () => whole.byteLength, open: () => readerOf(only(whole)) };
  }
  const answer = source instanceof Response ? source : undefined;
  if (answer?.ok === false) return `expected a successful response, received status ${answer.status}`;
  const { type, name, path, size } = (answer ? toldBy(answer) : Object(source)) as Record<string, unknown>;
  const told = { type: textOf(type), name: textOf(name) ?? textOf(path) };

  if (has(source, "stream")) {
    const again = source as StreamSource;
    const open = () => readerOf(again.stream());
    return {
      ...told,
      repeatable: true,
      ...(source instanceof Blob && { whole: source }),
      size: () => again.size,
      open,
    };
  }
  const bytes: unknown = answer ? answer.body : source;
  if (has(bytes, "getReader") || has(bytes, Symbol.asyncIterator)) {
    if ((bytes as ReadableStream).locked || answer?.bodyUsed) return "expected a stream that is not read already";
    let reader: ByteReader | undefined;
    const open = () => {
      reader ??= readerOf(bytes);
      return reader;
    };
    return { ...told, repeatable: false, size: () => size as number | undefined, open };
  }
  return "expected a Blob, bytes, a stream, a Response or fromPath(path)";
}
