/** A recording as a stream that survives lost connections and expired links: it goes on from the byte reached. */
import { ConnectionError } from "../errors/connection-error.js";
import { addCallFacts, NotetakerError } from "../errors/notetaker-error.js";
import { TimeoutError } from "../errors/timeout-error.js";
import type { RequestOptions } from "../options.js";
import { abortable, cancellation, pause, type StallGuard, stallGuard } from "../transport/cancellation.js";
import { connectionError } from "../transport/failure.js";
import { redactCause } from "../transport/redact.js";
import { type RetryRules, retryDelayMs } from "../transport/retry-policy.js";
import type { Transport } from "../transport/transport.js";
import { isSameEntity, type RecordingEntity, recordingEntity } from "./recording-entity.js";

/** How far a download has come. */
export interface DownloadProgress {
  /** What has been delivered. */
  receivedBytes: number;
  /** `undefined` when the storage does not say. */
  totalBytes: number | undefined;
}

export interface DownloadOptions extends RequestOptions {
  /** Called for each piece that is delivered. */
  onProgress?: ((progress: DownloadProgress) => void) | undefined;
  /**
   * Called when the file has changed on the way: what was delivered so far is of the old one and to be thrown away, the
   * stream begins again at the first byte. Without it, such a change is a `ConnectionError`.
   */
  onRestart?: (() => void) | undefined;
}

export interface RecordingDownload {
  /** The file's bytes, each once. Cancel it to end the download before its time. */
  stream: ReadableStream<Uint8Array>;
  /** In bytes; `undefined` when the storage does not say. */
  size: number | undefined;
  /** Media type; `undefined` when the storage does not say. */
  contentType: string | undefined;
}

/** The answer that is being read. */
interface Part {
  readonly url: string;
  readonly reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly guard: StallGuard;
  /** Bytes at its beginning that were delivered already. */
  skip: number;
}

/** `link` gives a fresh link. It is all the authority that the storage gets to see. */
export async function downloadRecording(
  transport: Transport,
  meetingId: string,
  link: (signal: AbortSignal) => Promise<string>,
  { onProgress, onRestart, ...options }: DownloadOptions,
): Promise<RecordingDownload> {
  const { timeoutMs, deadlineMs, maxRetries, maxRetryDelayMs } = transport.limits(options);
  const rules: RetryRules = { retry: "repeatable", bodyRepeatable: true, maxRetryDelayMs };
  const what = `the recording of ${meetingId}`;
  const timedOut = (limit: string, ms: number) =>
    new TimeoutError(`GET ${what} took longer than ${limit}, ${ms} ms`, { timeoutMs: ms });
  const failed = (why: string) => new ConnectionError(`GET ${what} failed: ${why}`, { retryable: true });

  const left = new AbortController();
  const given = options.signal === undefined ? left.signal : AbortSignal.any([left.signal, options.signal]);
  const { remainingMs, dispose, ...ends } = cancellation(given, deadlineMs, () => timedOut("deadlineMs", deadlineMs!));
  const signal = ends.signal ?? given;

  let begun: RecordingEntity | undefined;
  let part: Part | undefined;
  let received = 0;
  let attempts = 0;
  /** In a row, without a byte delivered in between. */
  let failures = 0;
  let restarts = 0;
  let ranges = true;

  /** What `work` comes to, if it comes in time. */
  const inTime = async <T>(url: string, guard: StallGuard, work: Promise<T>): Promise<T> => {
    guard.alive();
    try {
      return await abortable(work, guard.signal);
    } catch (error) {
      if (guard.signal.aborted) throw guard.signal.reason;
      throw connectionError(redactCause(error, url), { method: "GET", url: new URL(url).origin }, what);
    } finally {
      guard.stop();
    }
  };

  /** Asks for the rest of the file, over a fresh link. */
  const connect = async (): Promise<Part> => {
    attempts += 1;
    const url = await link(signal);
    const guard = stallGuard(signal, timeoutMs, () => timedOut("timeoutMs without progress", timeoutMs));
    const headers = { "accept-encoding": "identity", ...(received > 0 && ranges && { range: `bytes=${received}-` }) };
    const response = await inTime(url, guard, transport.getElsewhere(url, headers, guard.signal));
    const reader = (response.body ?? new Blob().stream()).getReader();
    part = { url, reader, guard, skip: 0 };

    // A link that has expired is refused, too: the next attempt has a fresh one.
    if (response.status !== 200 && response.status !== 206) throw failed(`the storage answered ${response.status}`);
    const entity = recordingEntity(response);
    const start = entity.start ?? Number.POSITIVE_INFINITY;
    if (received > 0 && !isSameEntity(begun!, entity)) {
      if (onRestart === undefined || restarts >= maxRetries) {
        failures = maxRetries;
        throw failed("the file changed on the way");
      }
      restarts += 1;
      received = 0;
      onRestart();
    }
    if (received === 0) begun = entity;
    ranges = start <= received && entity.plain;
    if (start > received) throw failed("the storage sent another part than was asked for");
    part.skip = received - start;
    return part;
  };

  /** The next bytes; `undefined` at the end. */
  const read = async (from: Part): Promise<Uint8Array | undefined> => {
    const size = begun?.size;
    for (;;) {
      const { done, value } = await inTime(from.url, from.guard, from.reader.read()).catch((error) => {
        // All has arrived: that the connection did not end well is of no matter.
        if (received === size) return { done: true, value: undefined };
        throw error;
      });
      if (value === undefined || done) {
        if (received < (size ?? 0)) throw failed(`it ended after ${received} of ${size} bytes`);
        return undefined;
      }
      const piece = value.subarray(from.skip);
      from.skip -= value.byteLength - piece.byteLength;
      if (piece.byteLength === 0) continue;
      if (received + piece.byteLength > (size ?? Number.POSITIVE_INFINITY))
        throw failed(`it has more than ${size} bytes`);
      received += piece.byteLength;
      failures = 0;
      return piece;
    }
  };

  /** Does `step`, on a new connection if need be, until it succeeds or there is no more hope. */
  const persist = async <T>(step: (part: Part) => Promise<T>): Promise<T> => {
    for (;;) {
      try {
        return await step(part ?? (await connect()));
      } catch (error) {
        part?.reader.cancel(error).catch(() => {});
        part = undefined;
        if (signal.aborted) throw signal.reason;
        failures += 1;
        const wait = failures > maxRetries ? undefined : retryDelayMs(error, failures, rules);
        if (wait === undefined || wait >= remainingMs()) {
          throw error instanceof NotetakerError ? addCallFacts(error, { attempts }) : error;
        }
        await pause(wait, signal);
      }
    }
  };

  const orDispose = <T>(work: Promise<T>) =>
    work.catch((error) => {
      dispose();
      throw error;
    });

  await orDispose(persist(async () => {}));
  return {
    stream: new ReadableStream(
      {
        start(controller) {
          signal.addEventListener("abort", () => controller.error(signal.reason));
        },
        async pull(controller) {
          const piece = await orDispose(persist(read));
          if (piece === undefined) {
            dispose();
            controller.close();
          } else {
            controller.enqueue(piece);
            onProgress?.({ receivedBytes: received, totalBytes: begun?.size });
          }
        },
        cancel(reason) {
          dispose();
          left.abort(reason);
        },
      },
      { highWaterMark: 0 },
    ),
    get size() {
      return begun?.size;
    },
    get contentType() {
      return begun?.contentType;
    },
  };
}
