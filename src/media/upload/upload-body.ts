import { onAbort } from "../../async/abort.js";
import { InvalidArgumentError } from "../../errors/argument-errors.js";
import { TimeoutError } from "../../errors/call-errors.js";
import { addCallFacts } from "../../errors/notetaker-error.js";
import type { MediaType } from "../../schemas/upload.js";
import type { ByteReader, ReadResult } from "../../transport/byte-reader.js";
import type { BodyContent, StreamAttempt, StreamBody } from "../../transport/operation.js";
import { pullStream } from "../bytes/pull-stream.js";
import { type ByteSource, byteSource } from "./byte-source.js";
import { canStreamBody } from "./can-stream-body.js";
import { resolveContentType } from "./content-type.js";
import { EarlyResponsePacing, needsPacing } from "./early-response-pacing.js";
import { ProgressReporter } from "./progress-reporter.js";
import { readInChunks } from "./read-in-chunks.js";
import { sourceError } from "./source-error.js";
import type { UploadInput, UploadOptions } from "./upload-options.js";

/** The arguments of a call that its upload needs. */
export type UploadBodyOptions = Pick<UploadInput, "contentType" | "size"> & Pick<UploadOptions, "onProgress">;

/** In Cloudflare Workers, `Content-Length` is sent only for a stream of this class. */
type FixedLengthStreamClass = new (size: number) => ReadableWritablePair<Uint8Array, Uint8Array>;

/** The reading of the source in one attempt. */
interface Reading {
  readonly reader: ByteReader;
  readonly attempt: StreamAttempt;
  readonly pacing: EarlyResponsePacing | undefined;
  isEnded: boolean;
}

/**
 * The body of an upload: a stream that counts its bytes, or the whole body if the runtime cannot stream a request. Each
 * attempt opens the source again.
 */
export class UploadBody implements StreamBody {
  readonly contentType: MediaType;
  readonly repeatable: boolean;
  readonly #operation: string;
  readonly #source: ByteSource;
  readonly #givenSize: number | undefined;
  readonly #progress: ProgressReporter;
  #size: number | undefined;
  /** Ends the current reading, or closes a source whose reading never began. */
  #end: (reason: unknown) => void = () => {};
  /** After a call of this function, reading the source no longer counts as progress. */
  #stopReporting: () => void = () => {};
  /** Receives the progress that `fetch` reports, if this class cannot count the sent bytes. */
  #reportSent: (sentBytes: number) => void = () => {};

  /** Throws `InvalidArgumentError` for an unreadable source, an unsupported media type or a wrong size. */
  constructor(operation: string, source: unknown, { contentType, size, onProgress }: UploadBodyOptions) {
    this.#operation = operation;
    this.#givenSize = size;
    this.#progress = new ProgressReporter(onProgress);
    try {
      this.#source = byteSource(operation, source);
      this.contentType = resolveContentType(operation, this.#source, contentType);
      this.repeatable = this.#source.repeatable;
      this.#size = this.#checkedSize();
      // A source that can be read only once is closed even if no attempt is made.
      if (!this.repeatable) this.#end = this.#source.open().close;
    } catch (error) {
      throw sourceError(operation, error, "not_sent");
    }
  }

  get size(): number | undefined {
    return this.#size;
  }

  open(attempt: StreamAttempt): Promise<BodyContent> {
    return canStreamBody() ? this.#openStreaming(attempt) : this.#openBuffered(attempt);
  }

  onSent(sentBytes: number): void {
    this.#reportSent(sentBytes);
  }

  async gather(stream: ReadableStream): Promise<Blob> {
    this.#stopReporting();
    const blob = await new Response(stream).blob();
    this.#size = blob.size;
    return blob;
  }

  close(reason: unknown): void {
    this.#reportSent = () => {};
    this.#end(reason);
    if (reason === undefined) this.#progress.finish(this.#size);
  }

  #openSource(attempt: StreamAttempt): ByteReader {
    try {
      this.#size = this.#checkedSize();
      const reader = this.#source.open();
      this.#end = reader.close;
      return reader;
    } catch (error) {
      throw sourceError(this.#operation, error, "not_sent", attempt);
    }
  }

  /** The size is checked for each attempt, because a file may have changed. */
  #checkedSize(): number | undefined {
    const ownSize = this.#source.size();
    const givenSize = this.#givenSize;
    const refuse = (path: string, message: string) => new InvalidArgumentError(this.#operation, [{ path, message }]);
    if (!isSize(ownSize)) throw refuse("source", `expected its size in bytes, received ${ownSize}`);
    if (!isSize(givenSize)) throw refuse("size", `expected the number of bytes, received ${givenSize}`);
    if (ownSize !== undefined && givenSize !== undefined && ownSize !== givenSize) {
      throw refuse("size", `expected ${ownSize}, the size of the source, received ${givenSize}`);
    }
    return ownSize ?? givenSize;
  }

  async #openStreaming(attempt: StreamAttempt): Promise<ReadableStream> {
    // The time without progress starts here, because a connection may never accept the first byte.
    attempt.restart();
    const reader = this.#openSource(attempt);
    this.#progress.report(0, this.#size);
    // The first read shows whether the source can be opened, before anything is sent.
    const first = this.#source.isOpen ? undefined : await this.#beforeSending(attempt, () => reader.read());
    if (attempt.signal.aborted) throw attempt.signal.reason;
    return this.#stream(reader, first, attempt);
  }

  /**
   * Returns the whole source: bytes and a `Blob` as they are, any other source after reading it into memory. Only some
   * implementations of `fetch` report how many bytes are sent. With the others, `timeoutMs` cannot limit the time
   * without progress.
   */
  async #openBuffered(attempt: StreamAttempt): Promise<BodyContent> {
    const { inMemory } = this.#source;
    const reader = inMemory === undefined ? this.#openSource(attempt) : undefined;
    this.#progress.report(0, this.#size);
    this.#reportSent = (sentBytes) => {
      attempt.restart();
      this.#report(sentBytes, attempt);
    };
    if (inMemory !== undefined || reader === undefined) return inMemory as BodyContent;
    const blob = await this.#beforeSending(attempt, () => {
      const { stream } = pullStream(readInChunks(reader, this.#size), reader.close);
      return new Response(stream).blob();
    });
    this.#size = blob.size;
    return blob;
  }

  /** If `work` fails, nothing has been sent. */
  async #beforeSending<T>(attempt: StreamAttempt, work: () => Promise<T>): Promise<T> {
    const stopWaiting = onAbort(attempt.signal, () => {
      const { reason } = attempt.signal;
      if (reason instanceof TimeoutError) addCallFacts(reason, { outcome: "not_sent" });
    });
    try {
      return await work();
    } catch (error) {
      throw sourceError(this.#operation, error, "not_sent", attempt);
    } finally {
      stopWaiting();
    }
  }

  #stream(reader: ByteReader, first: ReadResult | undefined, attempt: StreamAttempt): ReadableStream {
    const pacing = attempt.usesPlatformFetch && needsPacing() ? new EarlyResponsePacing() : undefined;
    const reading: Reading = { reader, attempt, pacing, isEnded: false };
    const { stream, fail } = pullStream(this.#chunks(reading, first), reader.close);
    this.#stopReporting = () => {
      reading.isEnded = true;
      attempt.stop();
    };
    this.#end = (reason) => {
      reading.isEnded = true;
      pacing?.stop();
      // Some implementations of `fetch` ignore an abort, but all notice a failure of their body.
      fail(reason);
      reader.close(reason);
    };
    const { FixedLengthStream } = globalThis as { FixedLengthStream?: FixedLengthStreamClass };
    if (FixedLengthStream === undefined || this.#size === undefined) return stream;
    return stream.pipeThrough(new FixedLengthStream(this.#size));
  }

  /** The chunks of one attempt. A chunk counts as sent when the connection asks for the next one. */
  async *#chunks(reading: Reading, first: ReadResult | undefined): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
    const { reader, attempt, pacing } = reading;
    let sentBytes = 0;
    const reportSent = () => {
      if (reading.isEnded) return;
      attempt.restart();
      this.#report(sentBytes, attempt);
      if (attempt.signal.aborted) throw attempt.signal.reason;
    };
    try {
      for await (const chunk of readInChunks(reader, this.#size, first)) {
        if (sentBytes > 0) await pacing?.wait(sentBytes, attempt.restart);
        yield chunk;
        sentBytes += chunk.byteLength;
        reportSent();
      }
      reportSent();
    } catch (error) {
      if (!attempt.signal.aborted) attempt.abort(sourceError(this.#operation, error, "unknown", attempt));
      reader.close(error);
      throw error;
    }
  }

  /** An error that the caller's callback throws ends the call unchanged. */
  #report(sentBytes: number, attempt: StreamAttempt): void {
    try {
      this.#progress.report(sentBytes, this.#size);
    } catch (error) {
      attempt.abort(error);
    }
  }
}

const isSize = (size: unknown) => size === undefined || (Number.isSafeInteger(size) && Number(size) >= 0);
