/** The path at which a file is saved, and the temporary path beside it at which it is written first. */
import { randomUUID } from "node:crypto";
import { access, constants, realpath, stat } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
import { filePath } from "./file-path.js";
import { refusedPath } from "./refused-path.js";

export interface SaveTarget {
  /** An absolute path, with links followed. */
  readonly target: string;
  /** The temporary path, in the same folder. */
  readonly partial: string;
}

/** @throws {InvalidArgumentError} naming the path, if no file can be written to it */
export async function saveTarget(operation: string, path: string | URL): Promise<SaveTarget> {
  const requestedPath = filePath(operation, path);
  const target = await realpath(requestedPath).catch(() => resolve(requestedPath));
  const folder = dirname(target);
  // The folder is checked first, because a problem with the folder affects every file in it.
  await checkFolder(operation, folder);
  const existing = await stat(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw refusedPath(operation, requestedPath, error);
  });
  if (existing?.isDirectory() || requestedPath.endsWith(sep) || requestedPath.endsWith("/")) {
    throw refusedPath(operation, requestedPath, "is a folder");
  }
  return { target, partial: join(folder, `.${randomUUID()}.part`) };
}

async function checkFolder(operation: string, folder: string): Promise<void> {
  let isFolder: boolean;
  try {
    isFolder = (await stat(folder)).isDirectory();
    if (isFolder) await access(folder, constants.W_OK);
  } catch (error) {
    throw refusedPath(operation, folder, error);
  }
  if (!isFolder) throw refusedPath(operation, folder, "is not a folder");
}
