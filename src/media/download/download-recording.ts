/** Downloads a recording as a stream, which resumes after lost connections and expired links at the byte reached. */

import * as z from "zod/mini";
import { abortReason, onAbort } from "../../async/abort.js";
import { ConfigurationError } from "../../errors/argument-errors.js";
import { checkArgument } from "../../errors/check-arguments.js";
import { functionOf, type Infer } from "../../schemas/primitives.js";
import { notify } from "../../transport/logger.js";
import { type RequestOptions, requestOptionsShape } from "../../transport/request-options.js";
import type { Transport } from "../../transport/transport.js";
import { hasStreams, NO_STREAMS, pullStream } from "../bytes.js";
import { RecordingTransfer } from "./recording-transfer.js";

/** The progress of a download. */
export interface DownloadProgress {
  /** How many bytes have been received, including the chunk that is about to be delivered. */
  receivedBytes: number;
  /** The size of the recording in bytes; `undefined` if the storage does not state it. */
  totalBytes: number | undefined;
}

const downloadOptions = {
  /** Called before each chunk is delivered. */
  onProgress: z.optional(functionOf<(progress: DownloadProgress) => void>()),
};

export interface DownloadOptions extends RequestOptions, Infer<typeof downloadOptions> {}

export const downloadOptionsSchema = z.strictObject({ ...requestOptionsShape, ...downloadOptions });

/** A recording that is being downloaded. */
export interface RecordingDownload {
  /** The bytes of the file, each once. Cancel the stream to end the download early. */
  stream: ReadableStream<Uint8Array>;
  /** The size in bytes; `undefined` if the storage does not state it. */
  size: number | undefined;
  /** The media type; `undefined` if the storage does not state it. */
  contentType: string | undefined;
  /** Why the recording may be incomplete, once the stream has ended: the storage stated no length. Else `undefined`. */
  readonly warning?: string | undefined;
}

/** The storage receives no credentials other than the link. */
export async function downloadRecording(
  transport: Transport,
  meetingId: string,
  callOptions: DownloadOptions = {},
): Promise<RecordingDownload> {
  checkArgument("meetings.downloadRecording", downloadOptionsSchema, callOptions);
  if (!hasStreams()) {
    const wayOut = "pass the recording_url of meetings.getRecording to the platform's own download";
    throw new ConfigurationError({ message: `meetings.downloadRecording: ${NO_STREAMS}: ${wayOut}` });
  }
  const { onProgress, ...options } = callOptions;
  const transfer = new RecordingTransfer(transport, meetingId, options);
  const { deadline } = transfer;
  const chunks = withProgress(transfer, (progress) =>
    notify("onProgress", onProgress, progress, transport.config.logger),
  );
  // When the first chunk has arrived, the size and the media type are known.
  const first = await chunks.next();
  const { stream, fail } = pullStream(chunks, (reason) => deadline.abort(reason), first.value ?? undefined);
  onAbort(deadline.signal, () => {
    fail(abortReason(deadline.signal));
    chunks.return();
  });
  return {
    stream,
    size: transfer.version?.size,
    contentType: transfer.version?.contentType,
    get warning() {
      return transfer.warning;
    },
  };
}

/** Reports the progress of each chunk. An error that the callback throws is not retried, and ends the download. */
async function* withProgress(
  transfer: RecordingTransfer,
  report: (progress: DownloadProgress) => void,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  try {
    for await (const chunk of transfer.chunks()) {
      report({ receivedBytes: transfer.receivedBytes, totalBytes: transfer.version?.size });
      yield chunk;
    }
  } finally {
    transfer.deadline.dispose();
  }
}
