/** The body of one attempt of an upload: opened once, read to its end, and closed once. */
import { onAbort } from "../../async/abort.js";
import type { ByteReader, ReadResult } from "../../async/byte-reader.js";
import { TimeoutError } from "../../errors/call-errors.js";
import { addCallFacts } from "../../errors/notetaker-error.js";
import type { BodyAttempt, BodyContent, BodyLimits } from "../../transport/operation.js";
import { canStreamBody, pullStream } from "../bytes.js";
import { needsPacing, waitForEarlyResponse } from "./early-response-pacing.js";
import { readInChunks } from "./read-in-chunks.js";
import { type ByteSource, sourceError } from "./upload-source.js";

/** In Cloudflare Workers, `Content-Length` is sent only for a stream of this class. */
type FixedLengthStreamClass = new (size: number) => ReadableWritablePair<Uint8Array, Uint8Array>;

/** The file of an upload, as far as an attempt needs it. */
interface UploadedFile {
  readonly operation: string;
  readonly source: ByteSource;
  /** The size in bytes, if it is known. It is checked for each attempt, because a file may have changed. */
  checkedSize(): number | undefined;
  /** Reports the progress to the caller. */
  report(sentBytes: number, totalBytes: number | undefined): void;
  reportAll(size: number | undefined): void;
}

/** A stream that counts its bytes, or the whole body if the runtime cannot stream a request. */
export class UploadAttempt implements BodyAttempt {
  readonly #file: UploadedFile;
  readonly #limits: BodyLimits;
  readonly #isPaced: boolean;
  #size: number | undefined;
  #reader: ByteReader | undefined;
  /** Fails the stream. Some implementations of `fetch` ignore an abort, but all notice a failure of their body. */
  #failStream: (reason: unknown) => void = () => {};
  /** Resolves when the attempt ends. */
  readonly #closed: Promise<void>;
  #markClosed: () => void = () => {};
  /** Who counts the sent bytes: the stream itself, or `fetch`. */
  #countedBy: "stream" | "fetch" | "nobody" = "nobody";

  constructor(file: UploadedFile, limits: BodyLimits) {
    this.#file = file;
    this.#limits = limits;
    this.#closed = new Promise((resolve) => {
      this.#markClosed = resolve;
    });
    this.#isPaced = limits.usesPlatformFetch && needsPacing();
  }

  get size(): number | undefined {
    return this.#size;
  }

  async open(): Promise<BodyContent> {
    const { source } = this.#file;
    const isStreamed = canStreamBody();
    // The time without progress starts here, because a connection may never accept the first byte.
    if (isStreamed) this.#limits.limit.restart();
    this.#countedBy = isStreamed ? "stream" : "fetch";
    const inMemory = isStreamed ? undefined : source.inMemory;
    const reader = this.#openSource(inMemory !== undefined);
    this.#file.report(0, this.#size);
    if (reader === undefined) return inMemory as BodyContent;
    if (!isStreamed) return this.#gather(reader);
    // The first read shows whether the source can be opened, before anything is sent.
    const first = source.isOpen ? undefined : await this.#beforeSending(() => reader.read());
    return this.#stream(reader, first);
  }

  onSent(sentBytes: number): void {
    if (this.#countedBy === "fetch") this.#report(sentBytes);
  }

  async gather(stream: ReadableStream): Promise<Blob> {
    this.#countedBy = "nobody";
    this.#limits.limit.stop();
    const blob = await new Response(stream).blob();
    this.#size = blob.size;
    return blob;
  }

  close(error: unknown): void {
    this.#countedBy = "nobody";
    this.#markClosed();
    this.#failStream(error);
    this.#reader?.close(error);
    if (error === undefined) this.#file.reportAll(this.#size);
  }

  #openSource(isInMemory: boolean): ByteReader | undefined {
    try {
      this.#size = this.#file.checkedSize();
      this.#reader = isInMemory ? undefined : this.#file.source.open();
      return this.#reader;
    } catch (error) {
      throw this.#error(error, "not_sent");
    }
  }

  /**
   * Reads the whole source into memory. Only some implementations of `fetch` report how many bytes are sent. With the
   * others, `timeoutMs` cannot limit the time without progress.
   */
  async #gather(reader: ByteReader): Promise<Blob> {
    const { stream } = pullStream(readInChunks(reader, this.#size), reader.close);
    const blob = await this.#beforeSending(() => new Response(stream).blob());
    this.#size = blob.size;
    return blob;
  }

  /** If `work` fails, nothing has been sent. */
  async #beforeSending<T>(work: () => Promise<T>): Promise<T> {
    const { signal } = this.#limits.limit;
    const stopWaiting = onAbort(signal, () => {
      if (signal.reason instanceof TimeoutError) addCallFacts(signal.reason, { outcome: "not_sent" });
    });
    try {
      return await work();
    } catch (error) {
      throw this.#error(error, "not_sent");
    } finally {
      stopWaiting();
    }
  }

  #stream(reader: ByteReader, first: ReadResult | undefined): ReadableStream {
    const { stream, fail } = pullStream(this.#chunks(reader, first), reader.close);
    this.#failStream = fail;
    const { FixedLengthStream } = globalThis as { FixedLengthStream?: FixedLengthStreamClass };
    if (FixedLengthStream === undefined || this.#size === undefined) return stream;
    return stream.pipeThrough(new FixedLengthStream(this.#size));
  }

  /** A chunk counts as sent when the connection asks for the next one. */
  async *#chunks(reader: ByteReader, first: ReadResult | undefined): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
    const { limit } = this.#limits;
    let sentBytes = 0;
    let isFirstWait = true;
    const countSent = () => {
      if (this.#countedBy !== "stream") return;
      this.#report(sentBytes);
      if (limit.signal.aborted) throw limit.signal.reason;
    };
    try {
      for await (const chunk of readInChunks(reader, this.#size, first)) {
        if (sentBytes > 0 && this.#isPaced) {
          // The wait is not time without progress.
          limit.stop();
          await waitForEarlyResponse(isFirstWait, sentBytes, this.#closed);
          if (this.#countedBy === "stream") limit.restart();
          isFirstWait = false;
        }
        yield chunk;
        sentBytes += chunk.byteLength;
        countSent();
      }
      countSent();
    } catch (error) {
      if (!limit.signal.aborted) limit.abort(this.#error(error, "unknown"));
      throw error;
    }
  }

  /** An error that the caller's callback throws ends the call unchanged. */
  #report(sentBytes: number): void {
    const { limit } = this.#limits;
    limit.restart();
    try {
      this.#file.report(sentBytes, this.#size);
    } catch (error) {
      limit.abort(error);
    }
  }

  #error(cause: unknown, outcome: "not_sent" | "unknown") {
    return sourceError(this.#file.operation, cause, outcome, this.#limits);
  }
}
