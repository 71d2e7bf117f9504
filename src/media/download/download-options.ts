import * as z from "zod/mini";
import { functionSchema, optionsSchema } from "../../schemas/primitives.js";
import type { RequestOptions } from "../../transport/request-options.js";
import { requestOptionsShape } from "../../transport/request-options.js";

/** The progress of a download. */
export interface DownloadProgress {
  /** How many bytes have been received, including the chunk that is about to be delivered. */
  receivedBytes: number;
  /** The size of the recording in bytes; `undefined` if the storage does not state it. */
  totalBytes: number | undefined;
}

/** Options of `meetings.downloadRecording`. */
export interface DownloadOptions extends RequestOptions {
  /** Called before each chunk is delivered. */
  onProgress?: ((progress: DownloadProgress) => void) | undefined;
  /**
   * Called if the file has changed during the download. Discard the bytes that were delivered so far: the stream starts
   * again at the first byte of the new file. This happens at most once. Without `onRestart`, a change of the file is a
   * `ConnectionError`.
   */
  onRestart?: (() => void) | undefined;
}

export const downloadOptionsSchema = optionsSchema<DownloadOptions>()({
  ...requestOptionsShape,
  onProgress: z.optional(functionSchema),
  onRestart: z.optional(functionSchema),
});
