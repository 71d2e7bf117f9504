/** Downloads a recording as a stream, which resumes after lost connections and expired links at the byte reached. */
import { ConfigurationError, checkArgument } from "../../errors/argument-errors.js";
import type { RecordingLink } from "../../schemas/recording.js";
import type { ApiPromise } from "../../transport/api-promise.js";
import { timeoutError } from "../../transport/connection-error-from.js";
import { notify } from "../../transport/notify.js";
import type { RequestOptions } from "../../transport/request-options.js";
import { timeLimit } from "../../transport/time-limit.js";
import type { Transport } from "../../transport/transport.js";
import { pullStream } from "../bytes/pull-stream.js";
import { hasStreams, NO_STREAMS } from "../bytes/streams.js";
import { type DownloadOptions, type DownloadProgress, downloadOptionsSchema } from "./download-options.js";
import { type DownloadContext, type DownloadState, initialDownloadState } from "./download-state.js";
import { resumeUntilComplete } from "./resume-until-complete.js";

/** A recording that is being downloaded. */
export interface RecordingDownload {
  /** The bytes of the file, each once. Cancel the stream to end the download early. */
  stream: ReadableStream<Uint8Array>;
  /** The size in bytes; `undefined` if the storage does not state it. */
  size: number | undefined;
  /** The media type; `undefined` if the storage does not state it. */
  contentType: string | undefined;
}

/** `getLink` requests a fresh link, without retries. The storage receives no credentials other than the link. */
export async function downloadRecording(
  transport: Transport,
  meetingId: string,
  getLink: (options: RequestOptions) => ApiPromise<RecordingLink>,
  callOptions: DownloadOptions = {},
): Promise<RecordingDownload> {
  checkArgument("meetings.downloadRecording", downloadOptionsSchema, callOptions);
  if (!hasStreams()) {
    const wayOut = "pass the recording_url of meetings.getRecording to the platform's own download";
    throw new ConfigurationError(`meetings.downloadRecording: ${NO_STREAMS}: ${wayOut}`);
  }
  const { onProgress, onRestart, ...options } = callOptions;
  const { timeoutMs, deadlineMs, maxRetries, maxRetryDelayMs } = transport.limits(options);
  const target = `the recording of ${meetingId}`;
  const state = initialDownloadState();
  const deadline = timeLimit(options.signal, deadlineMs, (limitMs) => {
    const request = { method: "GET", url: state.origin };
    return timeoutError({ request, path: target }, "deadlineMs", limitMs, { attempts: state.attempts });
  });
  const { signal } = deadline;
  const context: DownloadContext = {
    transport,
    meetingId,
    target,
    // A retry of the download repeats both: the request for a fresh link, and the request for the file.
    getLink: () => getLink({ ...options, signal }).withResponse(),
    timeoutMs,
    signal,
    onRestart,
  };

  const resumed = resumeUntilComplete(context, state, {
    maxRetries,
    maxRetryDelayMs,
    remainingMs: deadline.remainingMs,
  });
  const chunks = withProgress(
    resumed,
    (progress) => notify("onProgress", onProgress, progress, transport.config.logger),
    state,
    deadline.dispose,
  );
  // When the first chunk has arrived, the size and the media type are known.
  const first = await chunks.next();
  const { stream, fail } = pullStream(chunks, deadline.abort, first.value ?? undefined);
  signal.addEventListener("abort", () => {
    fail(signal.reason);
    chunks.return();
  });
  return { stream, size: state.version?.size, contentType: state.version?.contentType };
}

/** Reports the progress of each chunk. An error that the callback throws is not retried, and ends the download. */
async function* withProgress(
  chunks: AsyncIterable<Uint8Array<ArrayBuffer>>,
  report: (progress: DownloadProgress) => void,
  state: DownloadState,
  dispose: () => void,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  try {
    for await (const chunk of chunks) {
      report({ receivedBytes: state.receivedBytes, totalBytes: state.version?.size });
      yield chunk;
    }
  } finally {
    dispose();
  }
}
