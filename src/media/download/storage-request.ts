import { abortable } from "../../async/abortable.js";
import { ConnectionError } from "../../errors/connection-error.js";
import { createRedactor } from "../../redact/redactor.js";
import { type ByteReader, byteReader, isReadable } from "../../transport/byte-reader.js";
import { connectionErrorFrom, type RequestTarget, timeoutError } from "../../transport/connection-error-from.js";
import { discardBody } from "../../transport/read-body.js";
import { type TimeLimit, timeLimit } from "../../transport/time-limit.js";
import { asBytes } from "../bytes/as-bytes.js";
import type { DownloadContext } from "./download-state.js";

/**
 * One request to the storage. Its errors name the recording and the origin of the link, never the link itself: whoever
 * has the link has the recording.
 */
export class StorageRequest {
  readonly #context: DownloadContext;
  readonly #link: string;
  readonly #limit: TimeLimit;
  #reader: ByteReader | undefined;

  constructor(context: DownloadContext, link: string) {
    const { signal, timeoutMs } = context;
    this.#context = context;
    this.#link = link;
    this.#limit = timeLimit(signal, timeoutMs, () =>
      timeoutError(this.#target, "timeoutMs without progress", timeoutMs),
    );
    this.#limit.stop();
  }

  /** Requests the file from byte `start` on. */
  async send(start: number): Promise<Response> {
    const headers: Record<string, string> = { "accept-encoding": "identity" };
    if (start > 0) headers.range = `bytes=${start}-`;
    const { transport } = this.#context;
    const responding = transport.fetchFromStorage(this.#link, headers, this.#limit.signal);
    const response = await this.#inTime(responding, discardBody);
    // Other implementations of `fetch` have a Node stream as body.
    const body: unknown = response.body;
    this.#reader = isReadable(body) ? byteReader(body) : undefined;
    return response;
  }

  /** The next bytes of the body, or `undefined` at its end. */
  async read(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    if (this.#reader === undefined) return undefined;
    const { done, value } = await this.#inTime(this.#reader.read());
    return done === true ? undefined : asBytes(value);
  }

  /** The error for a response that cannot be used. Another link may bring a better one. */
  error(reason: string): ConnectionError {
    const { request, path } = this.#target;
    return new ConnectionError(`GET ${path}: ${reason}`, { request, retryable: true });
  }

  /** Gives up what has not been read, and removes the listener. */
  close(): void {
    this.#limit.dispose();
    this.#reader?.close(undefined);
  }

  /** What errors show. */
  get #target(): RequestTarget {
    return { request: { method: "GET", url: new URL(this.#link).origin }, path: this.#context.target };
  }

  /** The clock runs only while the storage is awaited: a caller may read as slowly as it likes. */
  async #inTime<T>(work: Promise<T>, onLate?: (value: T) => void): Promise<T> {
    this.#limit.restart();
    try {
      return await abortable(work, this.#limit.signal, onLate);
    } catch (error) {
      const { signal } = this.#limit;
      if (signal.aborted) throw signal.reason;
      throw connectionErrorFrom(createRedactor([this.#link]).cause(error), this.#target);
    } finally {
      this.#limit.stop();
    }
  }
}
