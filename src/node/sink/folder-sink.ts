import { readFile, rm, rmdir } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { namedFailure } from "../files/named-failure.js";
import { replaceFile } from "../files/replace-file.js";
import { lockFolder } from "./folder-lock.js";
import { isLink, pathInFolder } from "./folder-path.js";
import type { ExportSink } from "./sink.js";

/**
 * A folder as the sink of an export; created when it is first written to. Each file is written beside its place, and
 * takes its name once it is complete. Symbolic links in the folder are never followed, and no path leads out of it.
 */
export function folderSink(folder: string): Required<ExportSink> {
  const root = resolve(folder);
  const replace = async (path: string, chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>) => {
    const target = await pathInFolder(root, path, { create: true });
    // The same name each time, so that the next run replaces what a killed run has left.
    await replaceFile(target, join(dirname(target), `.${basename(target)}.part`), async (file) => {
      for await (const chunk of chunks) await file.writeFile(chunk);
    });
  };
  return {
    write: (path, bytes) => replace(path, [bytes]),
    writeStream: (path, stream) => replace(path, stream as AsyncIterable<Uint8Array>),
    async read(path) {
      const place = await pathInFolder(root, path);
      // An export writes no links: somebody else has put this one there.
      if (await isLink(place)) return undefined;
      return readFile(place).catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return undefined;
        throw namedFailure(error, place);
      });
    },
    async delete(path) {
      const place = await pathInFolder(root, path);
      await rm(place, { force: true });
      await removeEmptyFolders(dirname(place), root);
    },
    lock: () => lockFolder(root),
  };
}

/** Removes `folder` and those around it, up to `root`, as long as they are empty. */
async function removeEmptyFolders(folder: string, root: string): Promise<void> {
  for (let place = folder; place !== root; place = dirname(place)) {
    const removed = await rmdir(place).then(
      () => true,
      () => false,
    );
    if (!removed) return;
  }
}
