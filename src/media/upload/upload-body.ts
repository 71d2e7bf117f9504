/** The body of an upload: the file, and for each attempt its bytes, opened once, read to their end, and closed once. */
import { abortReason, onAbort, throwIfAborted } from "../../async/abort.js";
import { asBytes } from "../../async/as-bytes.js";
import type { ByteReader, ReadResult } from "../../async/byte-reader.js";
import { kindOf, quoted } from "../../checks/format-issues.js";
import type { RequestSummary } from "../../errors/api-error.js";
import { TimeoutError } from "../../errors/call-errors.js";
import { addCallFacts } from "../../errors/notetaker-error.js";
import type { MediaType } from "../../schemas/media-type.js";
import { type Logger, notify } from "../../transport/logger.js";
import type { BodyAttempt, BodyContent, BodyLimits, StreamBody } from "../../transport/operation.js";
import { canStreamBody, pullStream } from "../bytes.js";
import { needsPacing, waitForEarlyResponse } from "./early-response-pacing.js";
import type { UploadInput, UploadOptions } from "./upload-options.js";
import { type ByteSource, byteSource, mediaTypeToSend, refusedUpload, sourceError } from "./upload-source.js";

/** The size of one chunk of an upload, in bytes. Each chunk that is sent counts as progress. */
const CHUNK_BYTES = 64 * 1024;

/** In Cloudflare Workers, `Content-Length` is sent only for a stream of this class. */
type FixedLengthStreamClass = new (size: number) => ReadableWritablePair<Uint8Array, Uint8Array>;

export interface UploadBodyOptions
  extends Pick<UploadInput, "contentType" | "size">,
    Pick<UploadOptions, "onProgress"> {
  readonly logger?: Logger | undefined;
}

/** The file of an upload, which each attempt opens anew: its media type, its size, and its progress. */
export class UploadBody implements StreamBody {
  readonly contentType: MediaType;
  readonly source: ByteSource;
  /** What `ready` has read. */
  first: Promise<ReadResult> | undefined;
  readonly #options: UploadBodyOptions;
  #reportedBytes = -1;

  /** Throws `InvalidArgumentError` for an unreadable source, an unsupported media type or a wrong size. */
  constructor(source: unknown, options: UploadBodyOptions) {
    this.#options = options;
    try {
      this.source = byteSource(source);
      this.contentType = mediaTypeToSend(this.source, options.contentType);
      this.checkedSize();
      // The reader listens for the errors of a Node stream, which may fail before it is read.
      if (!this.source.repeatable) this.source.open();
    } catch (error) {
      throw sourceError(error, "not_sent");
    }
  }

  get repeatable(): boolean {
    return this.source.repeatable;
  }

  /** A source that can be read again stays closed: many uploads that wait would have too many files open. */
  async ready(request: RequestSummary): Promise<void> {
    if (this.repeatable) return;
    this.first = this.source.open().read();
    await this.first.catch((error) => {
      throw sourceError(error, "not_sent", request);
    });
  }

  begin(limits: BodyLimits): BodyAttempt {
    return new UploadAttempt(this, limits);
  }

  release(reason: unknown): void {
    // Each `open` of such a source returns the same reader.
    if (!this.repeatable) this.source.open().close(reason);
  }

  checkedSize(): number | undefined {
    const ownSize = this.source.size();
    const statedSize = this.#options.size;
    if (!isSize(ownSize)) throw refusedUpload("source", `expected its size in bytes, received ${quoted(ownSize)}`);
    if (!isSize(statedSize))
      throw refusedUpload("size", `expected the number of bytes, received ${quoted(statedSize)}`);
    if (ownSize !== undefined && statedSize !== undefined && ownSize !== statedSize) {
      throw refusedUpload("size", `expected ${ownSize}, the size of the source, received ${statedSize}`);
    }
    return ownSize ?? statedSize;
  }

  /** The progress never decreases: a second attempt reports nothing until it has sent as much as the first. */
  report(sentBytes: number, totalBytes: number | undefined): void {
    if (sentBytes < this.#reportedBytes) return;
    this.#reportedBytes = sentBytes;
    const { onProgress, logger } = this.#options;
    notify("onProgress", onProgress, { sentBytes, totalBytes }, logger);
  }

  /** Reports that all bytes are sent. Only then is the size of a stream known. */
  reportAll(size = this.#reportedBytes): void {
    this.report(size, size);
  }
}

const isSize = (size: unknown) => size === undefined || (Number.isSafeInteger(size) && Number(size) >= 0);

/** A stream that counts its bytes, or the whole body if the runtime cannot stream a request. */
class UploadAttempt implements BodyAttempt {
  readonly #file: UploadBody;
  readonly #limits: BodyLimits;
  size: number | undefined;
  #closeSource: (reason: unknown) => void = () => {};
  /** Whether the body is a stream, which counts its bytes; else `fetch` may count them. */
  readonly #isStreamed = canStreamBody();
  #isClosed = false;

  constructor(file: UploadBody, limits: BodyLimits) {
    this.#file = file;
    this.#limits = limits;
  }

  async open(): Promise<BodyContent> {
    // A middleware may take long.
    throwIfAborted(this.#limits.limit.signal);
    const isStreamed = this.#isStreamed;
    // The time without progress starts here, because a connection may never accept the first byte. If the body is not
    // streamed, it starts at the first progress that `fetch` reports; some implementations report none.
    if (isStreamed) this.#limits.limit.restart();
    const inMemory = isStreamed ? undefined : this.#file.source.inMemory;
    const reader = await this.#beforeSending(async () => this.#openReader(inMemory === undefined));
    this.#file.report(0, this.size);
    if (reader === undefined) return inMemory as BodyContent;
    const first = await this.#beforeSending(() => this.#readFirst(reader));
    if (!isStreamed) return this.#beforeSending(() => this.#collectChunks(reader, first));
    // The first read shows whether the source can be read, before anything is sent.
    return this.#stream(reader, first);
  }

  /** A stream or iterable without any byte was read before: a recording has some. */
  async #readFirst(reader: ByteReader): Promise<ReadResult> {
    const first = await (this.#file.first ?? reader.read());
    if (first.done !== true || this.#file.repeatable || this.size === 0) return first;
    throw refusedUpload("source", "expected a source with bytes; it is empty, or was read before");
  }

  #openReader(isNeeded: boolean): ByteReader | undefined {
    this.size = this.#file.checkedSize();
    if (!isNeeded) return undefined;
    const reader = this.#file.source.open();
    this.#closeSource = reader.close;
    return reader;
  }

  onSent(sentBytes: number): void {
    if (!this.#isStreamed) this.#report(sentBytes);
  }

  close(error: unknown): void {
    this.#isClosed = true;
    this.#closeSource(error);
    if (error === undefined) this.#file.reportAll(this.size);
  }

  /** Reads the whole source into memory. Chromium replaces the error of a stream, so the source's own error is kept. */
  async #collectChunks(reader: ByteReader, first: ReadResult): Promise<Blob> {
    const chunks = readInChunks(reader, this.size, first);
    let failure: unknown;
    const next = () =>
      chunks.next().catch((error) => {
        failure = error;
        throw error;
      });
    const { stream } = pullStream({ next }, reader.close);
    const blob = await new Response(stream).blob().catch((error) => {
      throw failure ?? error;
    });
    this.size = blob.size;
    return blob;
  }

  /** If `work` fails, nothing has been sent. */
  async #beforeSending<T>(work: () => Promise<T>): Promise<T> {
    const { signal } = this.#limits.limit;
    const stopWaiting = onAbort(signal, () => {
      const reason = abortReason(signal);
      if (reason instanceof TimeoutError) addCallFacts(reason, { outcome: "not_sent" });
    });
    try {
      return await work();
    } catch (error) {
      throw this.#error(error, "not_sent");
    } finally {
      stopWaiting();
    }
  }

  #stream(reader: ByteReader, first: ReadResult): ReadableStream {
    const { stream, fail } = pullStream(this.#chunks(reader, first), reader.close);
    this.#closeSource = (reason) => {
      // Some implementations of `fetch` ignore an abort, but all notice a failure of their body.
      fail(reason);
      reader.close(reason);
    };
    const { FixedLengthStream } = globalThis as { FixedLengthStream?: FixedLengthStreamClass };
    if (FixedLengthStream === undefined || this.size === undefined) return stream;
    return stream.pipeThrough(new FixedLengthStream(this.size));
  }

  /** A chunk counts as sent when the connection asks for the next one. */
  async *#chunks(reader: ByteReader, first: ReadResult): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
    const { limit, usesPlatformFetch } = this.#limits;
    const isPaced = usesPlatformFetch && needsPacing();
    let sentBytes = 0;
    let isFirstWait = true;
    try {
      for await (const chunk of readInChunks(reader, this.size, first)) {
        if (sentBytes > 0 && isPaced) {
          // The wait is not time without progress.
          limit.stop();
          await waitForEarlyResponse(isFirstWait, sentBytes, limit.signal);
          limit.restart();
          isFirstWait = false;
        }
        yield chunk;
        sentBytes += chunk.byteLength;
        this.#report(sentBytes);
        throwIfAborted(limit.signal);
      }
      this.#report(sentBytes);
    } catch (error) {
      if (!limit.signal.aborted) limit.abort(this.#error(error, "unknown"));
      throw error;
    }
  }

  /** An error that the caller's callback throws ends the call unchanged. */
  #report(sentBytes: number): void {
    if (this.#isClosed) return;
    const { limit } = this.#limits;
    limit.restart();
    try {
      this.#file.report(sentBytes, this.size);
    } catch (error) {
      limit.abort(error);
    }
  }

  #error(cause: unknown, outcome: "not_sent" | "unknown") {
    return sourceError(cause, outcome, this.#limits.request);
  }
}

/** Reads a source in chunks of at most `CHUNK_BYTES`. Throws if the source does not have exactly `size` bytes. */
async function* readInChunks(
  reader: ByteReader,
  size: number | undefined,
  first: ReadResult,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  let readBytes = 0;
  // The last byte is sent when the source has ended: the service may answer as soon as it has `size` bytes.
  let last: Uint8Array<ArrayBuffer> | undefined;
  for (let result = first; result.done !== true; result = await reader.read()) {
    const bytes = asBytes(result.value);
    if (bytes === undefined) throw new TypeError(`expected bytes, received ${kindOf(result.value)}`);
    readBytes += bytes.byteLength;
    if (size !== undefined && readBytes > size) throw sizeError(`${readBytes} bytes or more`, size);
    if (readBytes !== size) yield* slicesOf(bytes);
    else if (bytes.byteLength > 0) last = bytes;
  }
  if (size !== undefined && readBytes < size) throw sizeError(`${readBytes} bytes`, size);
  if (last !== undefined) yield* slicesOf(last);
}

function* slicesOf(bytes: Uint8Array<ArrayBuffer>): Generator<Uint8Array<ArrayBuffer>, void> {
  for (let start = 0; start < bytes.byteLength; start += CHUNK_BYTES) yield bytes.subarray(start, start + CHUNK_BYTES);
}

const sizeError = (actual: string, size: number) =>
  new RangeError(`the source has ${actual}, but its size is given as ${size}`);
