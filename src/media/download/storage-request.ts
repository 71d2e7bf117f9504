import { abortable } from "../../async/abort.js";
import { type ByteReader, byteReader, discardBody, isReadable } from "../../async/byte-reader.js";
import { ConnectionError } from "../../errors/call-errors.js";
import { createRedactor } from "../../redact/redactor.js";
import { connectionErrorFrom, type RequestTarget, timeoutError } from "../../transport/connection-error-from.js";
import { redirectMode } from "../../transport/fetch.js";
import { type TimeLimit, timeLimit } from "../../transport/time-limit.js";
import type { Transport } from "../../transport/transport.js";
import { asBytes } from "../bytes.js";

/**
 * One request to the storage. Its errors name the recording and the origin of the link, but never the link itself:
 * anyone who has the link can download the recording.
 */
export class StorageRequest {
  readonly #transport: Transport;
  readonly #link: string;
  /** The request and the recording, as errors show them. */
  readonly #target: RequestTarget;
  readonly #limit: TimeLimit;
  #reader: ByteReader | undefined;

  /** `path` is the recording, as messages name it. `timeoutMs` is the longest time without progress. */
  constructor(transport: Transport, link: string, path: string, timeoutMs: number, signal: AbortSignal) {
    this.#transport = transport;
    this.#link = link;
    this.#target = { request: { method: "GET", url: new URL(link).origin }, path };
    this.#limit = timeLimit(signal, timeoutMs, () =>
      timeoutError(this.#target, "timeoutMs without progress", timeoutMs),
    );
    this.#limit.stop();
  }

  /** Requests the file from byte `start` on. */
  async send(start: number): Promise<Response> {
    const headers: Record<string, string> = { "accept-encoding": "identity" };
    if (start > 0) headers.range = `bytes=${start}-`;
    const { signal } = this.#limit;
    // The client's token, headers and middleware may contain secrets, so they are not used.
    const { fetch = globalThis.fetch } = this.#transport.config;
    const request = async () => fetch(this.#link, { method: "GET", headers, signal, redirect: redirectMode() });
    const response = await this.#inTime(request(), discardBody);
    // In some implementations of `fetch`, the body is a Node stream.
    this.#reader = isReadable(response.body) ? byteReader(response.body) : undefined;
    return response as Response;
  }

  /** The next bytes of the body, or `undefined` at its end. */
  async read(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    if (this.#reader === undefined) return undefined;
    const { done, value } = await this.#inTime(this.#reader.read());
    return done === true ? undefined : asBytes(value);
  }

  /** Makes the error for an unusable response. It is retryable, because a fresh link may work. */
  error(reason: string): ConnectionError {
    const { request, path } = this.#target;
    return new ConnectionError(`GET ${path}: ${reason}`, { request, retryable: true });
  }

  /** Closes the body, and removes the listener from the caller's signal. */
  close(): void {
    this.#limit.dispose();
    this.#reader?.close(undefined);
  }

  /** The time limit runs only while the storage is awaited: the caller may read slowly. */
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
