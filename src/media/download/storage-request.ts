import { abortable } from "../../async/abortable.js";
import { followAbort } from "../../async/follow-abort.js";
import { ConnectionError } from "../../errors/connection-error.js";
import { connectionErrorFrom, timeoutError } from "../../transport/connection-error-from.js";
import { redactCause } from "../../transport/redact.js";
import type { DownloadContext } from "./download-state.js";

/**
 * One request to the storage. Its errors name the recording and the origin of the link, never the link itself: whoever
 * has the link has the recording.
 */
export class StorageRequest {
  readonly #context: DownloadContext;
  readonly #link: string;
  readonly #controller = new AbortController();
  readonly #unfollow: () => void;
  #reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>> | undefined;

  constructor(context: DownloadContext, link: string) {
    this.#context = context;
    this.#link = link;
    this.#unfollow = followAbort(this.#controller, context.signal);
  }

  /** Requests the file from byte `start` on. */
  async send(start: number): Promise<Response> {
    const headers: Record<string, string> = { "accept-encoding": "identity" };
    if (start > 0) headers.range = `bytes=${start}-`;
    const { transport } = this.#context;
    const response = await this.#withStallTimeout(
      transport.fetchFromStorage(this.#link, headers, this.#controller.signal),
    );
    this.#reader = response.body?.getReader();
    return response;
  }

  /** The next bytes of the body, or `undefined` at its end. */
  async read(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    if (this.#reader === undefined) return undefined;
    const { value } = await this.#withStallTimeout(this.#reader.read());
    return value;
  }

  /** The error for a response that cannot be used. Another link may bring a better one. */
  error(reason: string): ConnectionError {
    const { target } = this.#context;
    return new ConnectionError(`GET ${target}: ${reason}`, { request: this.#summary(), retryable: true });
  }

  /** Gives up what has not been read, and removes the listener. */
  close(): void {
    this.#unfollow();
    this.#reader?.cancel().catch(() => {});
  }

  #summary() {
    return { method: "GET", url: new URL(this.#link).origin };
  }

  /** A reader that takes its time does not count: the clock runs only while the storage is awaited. */
  async #withStallTimeout<T>(work: Promise<T>): Promise<T> {
    const { timeoutMs, target } = this.#context;
    const { signal } = this.#controller;
    const timer = setTimeout(() => {
      this.#controller.abort(timeoutError(this.#summary(), target, "timeoutMs without progress", timeoutMs));
    }, timeoutMs);
    try {
      return await abortable(work, signal);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw connectionErrorFrom(redactCause(error, this.#link), this.#summary(), target);
    } finally {
      clearTimeout(timer);
    }
  }
}
