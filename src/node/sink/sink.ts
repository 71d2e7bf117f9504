/** The target of an export: a folder, or any store of bytes by path. */
export interface ExportSink {
  /**
   * Stores `bytes` under `path`. The path is relative, its parts are separated by `/`, and each part is a safe file
   * name on every system. Resolves once the bytes are stored. It must be atomic: after a crash, the sink has either the
   * old bytes or the new ones. An error ends the export; the next run resumes it.
   */
  write(path: string, bytes: Uint8Array): Promise<void> | void;
  /** Returns the bytes stored under `path`, or `undefined` if there are none. */
  read(path: string): Promise<Uint8Array | undefined> | Uint8Array | undefined;
  /**
   * Like `write`, for recordings, which may not fit into memory. Without this method, `write` receives the whole
   * recording.
   */
  writeStream?(path: string, stream: ReadableStream<Uint8Array>): Promise<void>;
  /** Deletes the bytes stored under `path`, if there are any. Required by `prune`. */
  delete?(path: string): Promise<void> | void;
  /**
   * Locks the sink for one export, and resolves to a function that unlocks it. Rejects while another export has the
   * lock. Without this method, the sink is not locked.
   */
  lock?(): Promise<() => Promise<void>>;
}

/** The folder in a sink where an export stores its own state. */
export const STATE_FOLDER = ".notetaker-export";
