import { asBytes } from "../../async/as-bytes.js";
import { type ByteReader, byteReader, hasMethod, isReadable, isWebStream } from "../../async/byte-reader.js";
import { kindOf } from "../../checks/format-issues.js";
import type { IssueCode } from "../../checks/issue-code.js";
import { upload } from "../../endpoints/meetings.js";
import type { RequestSummary } from "../../errors/api-error.js";
import { InvalidArgumentError } from "../../errors/argument-errors.js";
import { ConnectionError } from "../../errors/call-errors.js";
import { messageOf } from "../../errors/error-record.js";
import { oneLine } from "../../errors/one-line.js";
import { MEDIA_TYPES, type MediaType } from "../../schemas/media-type.js";
import { isGenericMediaType, mediaType, mediaTypeOfFile } from "../../schemas/media-type-of-file.js";
import type { BodyContent } from "../../transport/operation.js";
import { contentLength, hasStreams, NO_STREAMS } from "../bytes.js";

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
 * The bytes of an audio or video file. A `Blob`, a `File`, an `ArrayBuffer`, a typed array and an object whose
 * `stream()` opens the source each time can be read again, so that an upload can be repeated after a 429. A `ReadableStream`, an `AsyncIterable` (for example
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

export interface ByteSource {
  /** The media type that the source itself states. */
  readonly type?: string | undefined;
  readonly name?: string | undefined;
  /** Whether `open` may be called again, for another attempt. */
  readonly repeatable: boolean;
  /** The whole body, if it is already in memory. */
  readonly inMemory?: BodyContent | undefined;
  /** The size in bytes. It is read for each attempt, because a file may have changed. */
  size(): number | undefined;
  open(): ByteReader;
}

interface SourceMetadata {
  readonly type?: unknown;
  readonly name?: unknown;
  readonly path?: unknown;
  readonly size?: number | undefined;
}

const WAY_OUT = `${NO_STREAMS}: pass bytes or a Blob`;

const ALREADY_READ =
  "expected a stream that has not been read yet; put back what was read with unshift(), or pass the bytes or a Blob";

export const refusedUpload = (path: string, message: string, code?: IssueCode): InvalidArgumentError =>
  new InvalidArgumentError({ operation: upload.name, issues: [{ path, message, ...(code && { code }) }] });

/** Converts `source` to the common form. Throws `InvalidArgumentError` if it cannot be read. */
export function byteSource(source: unknown): ByteSource {
  const refuse = (message: string) => refusedUpload("source", message, source === undefined ? "missing" : "invalid");
  const bytes = asBytes(source);
  if (bytes) return repeatableSource({ stream: () => singleChunk(bytes), size: bytes.byteLength }, bytes);
  if (isBlob(source)) return repeatableSource(blobSource(source), source);
  if (hasMethod(source, "stream")) {
    if (!hasStreams()) throw refuse(WAY_OUT);
    return repeatableSource(source as StreamSource);
  }

  const response = isResponse(source) ? source : undefined;
  if (response?.ok === false) throw refuse(`expected a successful response, received status ${response.status}`);
  const stream: unknown = response === undefined ? source : response.body;
  if (!isReadable(stream)) throw refuse("expected a Blob, bytes, a stream, a Response or fromPath(path)");
  if (response?.bodyUsed === true || wasRead(stream)) throw refuse(ALREADY_READ);
  if (!hasStreams()) throw refuse(WAY_OUT);
  return oneTimeSource(stream, response === undefined ? (source as SourceMetadata) : responseMetadata(response));
}

const isResponse = (source: unknown): source is Response =>
  typeof Response !== "undefined" && source instanceof Response;

/** Members of a `node:stream` Readable, and `bytesRead` of a file stream. Other async iterables have none of them. */
interface NodeStreamState {
  readonly readableDidRead?: boolean;
  readonly readableEnded?: boolean;
  readonly readableLength?: number;
  readonly destroyed?: boolean;
  readonly errored?: unknown;
  readonly bytesRead?: number;
}

/** Whether bytes of a stream are gone, so that the upload would begin in the middle of the file, or be empty. */
function wasRead(stream: ReadableStream | AsyncIterable<unknown>): boolean {
  if (isWebStream(stream)) return stream.locked || isDisturbed(stream);
  const state = stream as NodeStreamState;
  if (state.readableDidRead !== true)
    return state.readableEnded === true || (state.destroyed === true && !state.errored);
  // What was put back with `unshift` is in the buffer. Only a file stream states how much it has read in all.
  const { destroyed, readableLength = 0, bytesRead = readableLength } = state;
  return destroyed === true || readableLength === 0 || bytesRead !== readableLength;
}

/** A `Response` refuses a body that was read before. A stream has no member that tells it. */
function isDisturbed(stream: ReadableStream): boolean {
  if (typeof Response === "undefined") return false;
  try {
    void new Response(stream);
    return false;
  } catch {
    return true;
  }
}

/** Checked by class or name, because a `Blob` of React Native or jsdom has no `stream()`. */
const isBlob = (source: unknown): source is Blob =>
  (typeof Blob !== "undefined" && source instanceof Blob) ||
  /^\[object (Blob|File)\]$/.test(Object.prototype.toString.call(source));

const blobSource = (blob: Blob) => ({
  type: blob.type,
  name: (blob as Partial<File>).name,
  size: blob.size,
  stream: () => (hasMethod(blob, "stream") ? blob.stream() : wholeBlob(blob)),
});

async function* wholeBlob(blob: Blob) {
  yield new Uint8Array(await blob.arrayBuffer());
}

async function* singleChunk(bytes: Uint8Array) {
  yield bytes;
}

function repeatableSource(
  source: SourceMetadata & { stream(): ReadableStream | AsyncIterable<unknown> },
  inMemory?: BodyContent,
): ByteSource {
  return {
    ...statedBy(source),
    repeatable: true,
    inMemory,
    size: () => source.size,
    open() {
      const stream = source.stream();
      if (isReadable(stream) && wasRead(stream)) throw refusedUpload("source", ALREADY_READ);
      return byteReader(stream);
    },
  };
}

function oneTimeSource(stream: ReadableStream | AsyncIterable<unknown>, metadata: SourceMetadata): ByteSource {
  const { size } = metadata;
  let reader: ByteReader | undefined;
  return {
    ...statedBy(metadata),
    repeatable: false,
    size: () => size,
    open() {
      reader ??= byteReader(stream);
      return reader;
    },
  };
}

/** A Node file stream has a `path` instead of a name. */
const statedBy = ({ type, name, path }: SourceMetadata) => ({
  type: nonEmptyText(type),
  name: nonEmptyText(name) ?? nonEmptyText(path),
});

const nonEmptyText = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined);

function responseMetadata({ headers, url }: Response): SourceMetadata {
  return {
    type: headers.get("content-type"),
    name: url === "" ? undefined : new URL(url).pathname,
    size: contentLength(headers),
  };
}

/** From the argument, the source's type, or its name: `application/octet-stream` does not tell the format. */
export function mediaTypeToSend({ type, name }: ByteSource, argument: unknown): MediaType {
  const stated = argument === undefined || typeof argument === "string" ? argument : kindOf(argument);
  const isUsed = stated !== undefined && !isGenericMediaType(stated);
  const contentType = isUsed ? mediaType(stated) : mediaTypeOfFile({ type, name });
  if (contentType !== undefined) return contentType;
  const received = stated ?? type ?? name ?? "none";
  throw refusedUpload("contentType", `expected one of ${MEDIA_TYPES.join(", ")}, received ${received}`, "not_one_of");
}

/** The error for a source that fails. An `InvalidArgumentError`, such as that of `fromPath`, is returned unchanged. */
export function sourceError(
  cause: unknown,
  outcome: "not_sent" | "unknown",
  request?: RequestSummary,
): InvalidArgumentError | ConnectionError {
  // Any other error of this library has the facts of another call: the source may be a recording of the service.
  if (cause instanceof InvalidArgumentError) return cause;
  const problem = outcome === "not_sent" ? "the source could not be opened" : "the source failed";
  const reason = oneLine(messageOf(cause), 200);
  return new ConnectionError({ message: `${upload.name}: ${problem}: ${reason}`, cause, request, outcome });
}
