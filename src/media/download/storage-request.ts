import { abortable, throwIfAborted } from "../../async/abort.js";
import { asBytes } from "../../async/as-bytes.js";
import { type ByteReader, byteReader, discardBody, isReadable } from "../../async/byte-reader.js";
import { noStore } from "../../async/no-store.js";
import { TimeLimit } from "../../async/time-limit.js";
import { ConnectionError } from "../../errors/call-errors.js";
import { connectionErrorFrom, type RequestTarget, timeoutError } from "../../errors/connection-error-from.js";
import { createRedactor } from "../../redact/redactor.js";
import { type Fetch, type FetchOptions, redirectMode } from "../../transport/fetch.js";

export type StorageRequest = ReturnType<typeof storageRequest>;

/** The members of `fetchOptions` for a connection (a proxy, a CA) in Node, Bun and Deno. Others are for the service. */
const CONNECTION_MEMBERS = ["dispatcher", "proxy", "tls", "client"];

const connectionMembers = (fetchOptions: FetchOptions) =>
  Object.fromEntries(Object.entries(fetchOptions).filter(([name]) => CONNECTION_MEMBERS.includes(name)));

/** Errors name the recording (`path`) and the link's origin, never the link: it is enough to download. */
export function storageRequest(
  link: string,
  {
    path,
    timeoutMs,
    signal,
    fetch,
    fetchOptions,
  }: { path: string; timeoutMs: number; signal: AbortSignal; fetch: Fetch | undefined; fetchOptions: FetchOptions },
) {
  const target: RequestTarget = { request: { method: "GET", url: new URL(link).origin }, path };
  const limit = new TimeLimit(signal, timeoutMs, () => timeoutError(target, "timeoutMs without progress", timeoutMs));
  limit.stop();
  let reader: ByteReader | undefined;

  /** The time limit runs only while the storage is awaited: the caller may read slowly. */
  async function inTime<T>(work: Promise<T>, onLate?: (value: T) => void): Promise<T> {
    limit.restart();
    try {
      return await abortable(work, limit.signal, onLate);
    } catch (error) {
      throwIfAborted(limit.signal);
      throw connectionErrorFrom(createRedactor([link]).cause(error), target);
    } finally {
      limit.stop();
    }
  }

  /** Makes the error for an unusable response. It is retryable, because a fresh link may work. */
  const error = (reason: string) =>
    new ConnectionError({ message: `GET ${path}: ${reason}`, request: target.request, retryable: true });

  return {
    error,

    async send(start: number): Promise<Response> {
      const headers: Record<string, string> = { "accept-encoding": "identity" };
      if (start > 0) headers.range = `bytes=${start}-`;
      // The client's token, headers and middleware may contain secrets, so they are not used.
      const send = fetch ?? globalThis.fetch;
      const init = { method: "GET", headers, signal: limit.signal, redirect: redirectMode(), ...noStore() };
      const request = async () => send(link, { ...connectionMembers(fetchOptions), ...init });
      const response = await inTime(request(), discardBody);
      // In some implementations of `fetch`, the body is a Node stream.
      reader = isReadable(response.body) ? byteReader(response.body) : undefined;
      return response as Response;
    },

    async read(): Promise<Uint8Array<ArrayBuffer> | undefined> {
      if (reader === undefined) return undefined;
      const { done, value } = await inTime(reader.read());
      if (done === true) return undefined;
      const bytes = asBytes(value);
      if (bytes === undefined) throw error("the storage returned a body that is not bytes");
      return bytes;
    },

    close(): void {
      limit.dispose();
      reader?.close(undefined);
    },
  };
}
