/** A recording as a stream that survives lost connections and expired links: it goes on from the byte reached. */

import { abortable } from "../../async/abortable.js";
import { pause } from "../../async/pause.js";
import { checkArgument } from "../../errors/check-argument.js";
import { ConnectionError } from "../../errors/connection-error.js";
import { addCallFacts, NotetakerError } from "../../errors/notetaker-error.js";
import type { RequestOptions } from "../../options.js";
import type { RecordingLink } from "../../schemas/recording.js";
import type { ApiPromise } from "../../transport/api-promise.js";
import { cancellation } from "../../transport/cancellation.js";
import { connectionError, timeoutError } from "../../transport/failure.js";
import { redactCause } from "../../transport/redact.js";
import { downloadOptionsSchema } from "../../transport/request-options-schema.js";
import { type RetryRules, retryDelayMs } from "../../transport/retry-policy.js";
import { stallGuard } from "../../transport/stall-guard.js";
import type { Transport } from "../../transport/transport.js";
import { pieceStream } from "../bytes/pull-stream.js";
import { bytesSpent } from "../bytes/release-memory.js";
import { checkedLink } from "./check-link.js";
import { isSameEntity, type RecordingEntity, recordingEntity } from "./recording-version.js";

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

/** `getLink` asks for a fresh link. It is all the authority that the storage gets to see. */
export async function downloadRecording(
  transport: Transport,
  meetingId: string,
  getLink: (options: RequestOptions) => ApiPromise<RecordingLink>,
  given: DownloadOptions = {},
): Promise<RecordingDownload> {
  checkArgument("meetings.downloadRecording", downloadOptionsSchema, given);
  const { onProgress, onRestart, ...options } = given;
  const { timeoutMs, deadlineMs, maxRetries, maxRetryDelayMs } = transport.limits(options);
  const rules: RetryRules = { retry: "repeatable", bodyRepeatable: true, maxRetryDelayMs };
  const what = `the recording of ${meetingId}`;
  const request = { method: "GET", url: "" };
  const timedOut = (limit: string, ms: number) => timeoutError(request, what, limit, ms);
  const failed = (why: string) => new ConnectionError(`GET ${what}: ${why}`, { request, retryable: true });

  let attempts = 0;
  const left = new AbortController();
  const ended = AbortSignal.any([left.signal, options.signal ?? left.signal]);
  const {
    signal = ended,
    remainingMs,
    dispose,
  } = cancellation(ended, deadlineMs, (limit, ms) => addCallFacts(timedOut(limit, ms), { attempts }));

  let begun: RecordingEntity | undefined;
  let received = 0;
  /** In a row, without a byte in between. */
  let failures = 0;
  /** Once: a file that changes each time would have no end. */
  let restart = onRestart;

  /** The rest of the file, over a fresh link. */
  async function* rest(): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
    // What is to be repeated is the whole: a fresh link, and the file over it.
    const url = checkedLink(await getLink({ ...options, signal, maxRetries: 0 }).withResponse());
    attempts += 1;
    request.url = new URL(url).origin;
    const guard = stallGuard(signal, timeoutMs, timedOut);
    const inTime = async <T>(work: Promise<T>): Promise<T> => {
      guard.alive();
      try {
        return await abortable(work, guard.signal);
      } catch (error) {
        throw guard.signal.aborted ? guard.signal.reason : connectionError(redactCause(error, url), request, what);
      } finally {
        guard.stop();
      }
    };
    const headers: Record<string, string> = { "accept-encoding": "identity" };
    if (received > 0) headers.range = `bytes=${received}-`;
    const response = await inTime(transport.getElsewhere(url, headers, guard.signal));
    const { status, body } = response;
    const reader = (body ?? new Blob().stream()).getReader();
    try {
      // A link that has expired is refused, too: the next attempt has a fresh one.
      if (![200, 206, 416].includes(status)) throw failed(`the storage answered ${status}`);
      const entity = recordingEntity(response);
      if (received > 0 && !isSameEntity(begun!, entity)) {
        if (restart === undefined) failures = maxRetries;
        else received = 0;
        restart?.();
        restart = undefined;
        throw failed("the file changed on the way");
      }
      const whole = status === 200;
      if (!whole && entity.start !== received) throw failed("the storage sent another part");
      // An answer may tell the size that the first one did not.
      if (received === 0 || begun?.size === undefined) begun = entity;
      let skip = whole ? received : 0;
      const { size } = begun;
      for (;;) {
        const { value = new Uint8Array(), done } = await inTime(reader.read());
        const piece = value.subarray(skip);
        skip -= value.byteLength - piece.byteLength;
        const reached = received + piece.byteLength;
        if (done ? reached < size! : reached > size!) throw failed(`it came to ${reached} of ${size} bytes`);
        if (done) return;
        if (reached === received) continue;
        failures = 0;
        onProgress?.({ receivedBytes: reached, totalBytes: size });
        yield piece;
        // Only now: what the callback throws must not look like a connection that broke after the last byte.
        received = reached;
        // The connection's buffer, and the copy of it that `fetch` hands out.
        bytesSpent(2 * piece.byteLength);
      }
    } finally {
      reader.cancel().catch(() => {});
    }
  }

  /** Goes on over new connections until all is there or there is no more hope. */
  async function* pieces(): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
    try {
      for (;;) {
        try {
          return yield* rest();
        } catch (error) {
          if (signal.aborted) throw signal.reason;
          if (error instanceof NotetakerError) {
            // A call for a link that failed has counted its own.
            attempts += error.attempts;
            addCallFacts(error, { attempts });
          }
          // All has arrived: that the connection did not end well is of no matter.
          if (received > 0 && received === begun?.size) return;
          failures += 1;
          const wait = failures > maxRetries ? undefined : retryDelayMs(error, failures, rules);
          if (wait === undefined || wait >= remainingMs()) throw error;
          await pause(wait, signal);
        }
      }
    } finally {
      dispose();
    }
  }

  const all = pieces();
  // With the first piece, the storage has answered.
  const first = await all.next();
  const { stream, fail } = pieceStream(all, (reason) => left.abort(reason), first.value ?? undefined);
  signal.addEventListener("abort", () => {
    fail(signal.reason);
    all.return();
  });
  return { stream, size: begun?.size, contentType: begun?.contentType };
}
