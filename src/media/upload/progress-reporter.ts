import type { Logger } from "../../transport/logger.js";
import { notify } from "../../transport/notify.js";

/** The progress of an upload. */
export interface UploadProgress {
  /** How many bytes the connection has accepted. */
  sentBytes: number;
  /** The size of the upload in bytes; `undefined` while it is not known. */
  totalBytes: number | undefined;
}

/**
 * Reports the progress of an upload. The progress never decreases: a second attempt reports nothing until it has sent
 * as much as the first.
 */
export class ProgressReporter {
  readonly #onProgress: ((progress: UploadProgress) => void) | undefined;
  readonly #logger: Logger | undefined;
  #reportedBytes = -1;

  constructor(onProgress: ((progress: UploadProgress) => void) | undefined, logger?: Logger) {
    this.#onProgress = onProgress;
    this.#logger = logger;
  }

  report(sentBytes: number, totalBytes: number | undefined): void {
    if (sentBytes < this.#reportedBytes) return;
    this.#reportedBytes = sentBytes;
    notify("onProgress", this.#onProgress, { sentBytes, totalBytes }, this.#logger);
  }

  /** Reports that all bytes are sent. Only then is the size of a stream known. */
  finish(size: number | undefined): void {
    const totalBytes = size ?? this.#reportedBytes;
    this.report(totalBytes, totalBytes);
  }
}
