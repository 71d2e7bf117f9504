/** `folderSink`: stores the files of an export in a folder. */
import { readFile, rm, rmdir } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { namedFailure } from "../files/named-failure.js";
import { replaceFile } from "../files/replace-file.js";
import { lockFolder } from "./folder-lock.js";
import { isLink, pathInFolder } from "./folder-path.js";
import type { ExportSink } from "./sink.js";

/**
 * A folder as the sink of an export. The folder is created when the first file is written. Each file is written under a
 * temporary name, and is renamed once it is complete. Symbolic links in the folder are never followed, and no path
 * leads out of it.
 */
export function folderSink(folder: string): Required<ExportSink> {
  const root = resolve(folder);
  const replace = async (path: string, chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>) => {
    const target = await pathInFolder(root, path, { create: true });
    // The temporary name is always the same, so that the next run replaces the remainder of a killed run.
    await replaceFile(target, join(dirname(target), `.${basename(target)}.part`), async (file) => {
      for await (const chunk of chunks) await file.writeFile(chunk);
    });
  };
  return {
    write: (path, bytes) => replace(path, [bytes]),
    writeStream: (path, stream) => replace(path, stream as AsyncIterable<Uint8Array>),
    async read(path) {
      const fullPath = await pathInFolder(root, path);
      // An export writes no links, so this link is not trusted.
      if (await isLink(fullPath)) return undefined;
      return readFile(fullPath).catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return undefined;
        throw namedFailure(error, fullPath);
      });
    },
    async delete(path) {
      const fullPath = await pathInFolder(root, path);
      await rm(fullPath, { force: true });
      await removeEmptyFolders(dirname(fullPath), root);
    },
    lock: () => lockFolder(root),
  };
}

/** Removes `folder` and its parent folders below `root`, as long as they are empty. */
async function removeEmptyFolders(folder: string, root: string): Promise<void> {
  for (let current = folder; current !== root; current = dirname(current)) {
    const removed = await rmdir(current).then(
      () => true,
      () => false,
    );
    if (!removed) return;
  }
}
