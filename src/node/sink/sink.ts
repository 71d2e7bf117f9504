/** The target of an export: a folder, or anything that keeps bytes under a path. */
export interface ExportSink {
  /**
   * Keeps `bytes` under `path`: relative, its parts divided by `/`, each safe as a file name on every system. Resolves
   * once they are kept, and must be atomic: after a crash there are the old bytes or the new ones. An error ends the
   * export; the next run resumes it.
   */
  write(path: string, bytes: Uint8Array): Promise<void> | void;
  /** Returns what is kept under `path`, or `undefined`. */
  read(path: string): Promise<Uint8Array | undefined> | Uint8Array | undefined;
  /** As `write`, for recordings, which may not fit into memory. Default: `write` receives the whole recording. */
  writeStream?(path: string, stream: ReadableStream<Uint8Array>): Promise<void>;
  /** Deletes what is kept under `path`, if anything is. Required by `prune`. */
  delete?(path: string): Promise<void> | void;
  /**
   * Claims the place for one export and resolves to a function that releases it; rejects while another export holds it.
   * Default: the place is not claimed.
   */
  lock?(): Promise<() => Promise<void>>;
}

/** The folder in a sink where an export keeps what it needs for itself. */
export const STATE_FOLDER = ".notetaker-export";
