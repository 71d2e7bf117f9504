/** Notes which files of a folder are read. */
import files from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { basename } from "node:path";

export interface WatchedReads extends Disposable {
  /** The names of the files, in the order in which they were read. */
  readonly read: readonly string[];
}

export function watchedReads(folder: string): WatchedReads {
  const original = files.readFile;
  const read: string[] = [];
  const watched = (path: unknown, ...args: unknown[]) => {
    if (String(path).startsWith(folder)) read.push(basename(String(path)));
    return Reflect.apply(original, files, [path, ...args]);
  };
  Object.assign(files, { readFile: watched });
  syncBuiltinESMExports();
  return {
    read,
    [Symbol.dispose]() {
      Object.assign(files, { readFile: original });
      syncBuiltinESMExports();
    },
  };
}
