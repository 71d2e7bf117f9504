/** `folderSink`: stores the files of an export in a folder, whose content is not trusted. */
import { lstat, mkdir, readFile, rm, rmdir } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { InvalidArgumentError } from "../../errors/argument-errors.js";
import { isRegularFile } from "../files/paths.js";
import { namedFailure, replaceFile } from "../files/replace-file.js";
import { type FolderLock, lockPath } from "./folder-lock.js";
import { type ExportSink, STATE_FOLDER } from "./sink.js";

/**
 * A folder as the sink of an export. The folder is created when the first file is written. Each file is written under a
 * temporary name, and is renamed once it is complete. Symbolic links in the folder are never followed, and no path
 * leads out of it.
 */
export function folderSink(folder: string): Required<ExportSink> {
  const root = resolve(folder);
  let lock: FolderLock | undefined;
  const replace = async (path: string, chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>) => {
    await lock?.check();
    const target = await pathToWrite(root, path);
    // The temporary name is always the same, so that the next run replaces the remainder of a killed run.
    await replaceFile("folderSink", target, join(dirname(target), `.${basename(target)}.part`), async (file) => {
      for await (const chunk of chunks) await file.writeFile(chunk);
      // A recording may have taken long.
      await lock?.check();
    });
  };
  return {
    write: (path, bytes) => replace(path, [bytes]),
    writeStream: (path, stream) => replace(path, stream as AsyncIterable<Uint8Array>),
    async read(path) {
      const fullPath = await pathInFolder(root, path);
      // An export writes no links, so a link is not trusted.
      if (!(await isRegularFile("folderSink", fullPath))) return undefined;
      return readFile(fullPath).catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return undefined;
        throw namedFailure(error, fullPath);
      });
    },
    async delete(path) {
      await lock?.check();
      const fullPath = await pathInFolder(root, path);
      await isRegularFile("folderSink", fullPath);
      await rm(fullPath, { force: true });
      await removeEmptyFolders(dirname(fullPath), root);
    },
    async lock() {
      const held = await lockPath(await pathToWrite(root, `${STATE_FOLDER}/lock`), root);
      lock = held;
      return async () => {
        if (lock === held) lock = undefined;
        await held.unlock();
      };
    },
  };
}

/** Splits a path of the sink into its parts. Refuses a path that could lead out of the folder. */
function partsOf(path: string): string[] {
  const parts = path.split("/");
  const isUnsafe = (part: string) => part === "" || part === "." || part === ".." || /[\\:\0]/.test(part);
  if (parts.some(isUnsafe)) throw refused(path, "expected a relative path with parts separated by /, without . and ..");
  return parts;
}

const refused = (path: string, message: string) => new InvalidArgumentError("folderSink", [{ path, message }]);

/**
 * The full path of `path` below `root`. Refuses a path with a symbolic link among its folders, because the link may
 * lead anywhere; `root` itself may be a link.
 */
async function pathInFolder(root: string, path: string): Promise<string> {
  const parts = partsOf(path);
  for (let depth = 1; depth < parts.length; depth++) {
    const folder = join(root, ...parts.slice(0, depth));
    if (await isLink(folder)) throw refused(path, `${folder} is a symbolic link, and is not followed`);
  }
  return join(root, ...parts);
}

/** Like `pathInFolder`, and creates the folders. */
async function pathToWrite(root: string, path: string): Promise<string> {
  const fullPath = await pathInFolder(root, path);
  await mkdir(dirname(fullPath), { recursive: true });
  return fullPath;
}

async function isLink(fullPath: string): Promise<boolean> {
  const found = await lstat(fullPath).catch(() => undefined);
  return found?.isSymbolicLink() ?? false;
}

/** Removes `folder` and its parent folders below `root`, as long as they are empty. */
async function removeEmptyFolders(folder: string, root: string): Promise<void> {
  try {
    for (let current = folder; current !== root; current = dirname(current)) await rmdir(current);
  } catch {
    // This folder has other files.
  }
}
