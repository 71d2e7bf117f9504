/** Where an export goes: a folder, or anything that keeps bytes under a path. */
import { mkdir, readFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { replaceFile } from "../files/replace-file.js";

export interface ExportSink {
  /**
   * Keeps `bytes` under `path`: relative, its parts divided by `/`, each safe as a file name everywhere. It resolves once
   * they are kept, and has to be atomic: after a crash there are the old bytes or the new ones. An error ends the export,
   * which can be gone on with.
   */
  write(path: string, bytes: Uint8Array): Promise<void> | void;
  /** What is kept under `path`; `undefined` when nothing is. */
  read(path: string): Promise<Uint8Array | undefined> | Uint8Array | undefined;
  /** As `write`, for recordings, which may not fit into memory. Without it they are given to `write` as a whole. */
  writeStream?(path: string, stream: ReadableStream<Uint8Array>): Promise<void>;
}

/**
 * A folder, made when it is first written to. Each file is written beside its place, and takes its name once it is on the
 * disk.
 */
export function folderSink(folder: string): Required<ExportSink> {
  const root = resolve(folder);
  const replace = async (path: string, pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>) => {
    const target = join(root, path);
    const parent = dirname(target);
    await mkdir(parent, { recursive: true });
    // The same name each time, so that what a killed run leaves is overwritten by the next.
    await replaceFile(target, join(parent, `.${basename(target)}.part`), async (file) => {
      for await (const piece of pieces) await file.writeFile(piece);
    });
  };
  return {
    write: (path, bytes) => replace(path, [bytes]),
    writeStream: (path, stream) => replace(path, stream as AsyncIterable<Uint8Array>),
    read: (path) =>
      readFile(join(root, path)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return undefined;
        throw error;
      }),
  };
}
