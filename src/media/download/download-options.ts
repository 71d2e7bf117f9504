import * as z from "zod/mini";
import type { RequestOptions } from "../../options.js";
import { optionsSchema } from "../../schemas/primitives.js";
import { aFunction, requestOptions } from "../../transport/request-options-schema.js";

/** How far a download has come. */
export interface DownloadProgress {
  /** How many bytes have been delivered. */
  receivedBytes: number;
  /** The size of the recording in bytes; `undefined` if the storage does not announce it. */
  totalBytes: number | undefined;
}

/** Options of `meetings.downloadRecording`. */
export interface DownloadOptions extends RequestOptions {
  /** Called before each chunk is delivered. */
  onProgress?: ((progress: DownloadProgress) => void) | undefined;
  /**
   * Called if the file has changed during the download: discard what was delivered so far, because the stream starts
   * again at the first byte of the new file. Without it, such a change is a `ConnectionError`.
   */
  onRestart?: (() => void) | undefined;
}

export const downloadOptionsSchema = optionsSchema<DownloadOptions>()({
  ...requestOptions,
  onProgress: z.optional(aFunction),
  onRestart: z.optional(aFunction),
});
