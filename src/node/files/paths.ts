/** The paths that users pass: what they may be, and why one is refused. */
import { randomUUID } from "node:crypto";
import { lstatSync, type Stats } from "node:fs";
import { access, constants, realpath, stat } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { InvalidArgumentError } from "../../errors/argument-errors.js";
import { orUndefined } from "../../json/or-undefined.js";

export function filePath(operation: string, path: string | URL): string {
  // The system refuses some URLs, such as one with a host or an encoded slash.
  const file = path instanceof URL ? orUndefined(() => fileURLToPath(path)) : path;
  if (typeof file === "string" && file !== "") return file;
  throw new InvalidArgumentError({
    operation,
    issues: [{ path: "path", code: "wrong_type", message: "expected a path or a file: URL" }],
  });
}

const FILE_PROBLEMS: ReadonlyMap<string, string> = new Map([
  ["ENOENT", "does not exist"],
  ["ENOTDIR", "does not exist"],
  ["EACCES", "may not be accessed"],
  ["EPERM", "may not be accessed"],
]);

/** An error that names the path. `problem` is an error of the file system, or a text such as "is a folder". */
export function refusedPath(operation: string, path: string, problem: unknown): InvalidArgumentError {
  return new InvalidArgumentError({
    operation,
    issues: [{ path: "path", message: `${path} ${fileProblem(problem)}` }],
  });
}

function fileProblem(problem: unknown): string {
  if (!(problem instanceof Error)) return String(problem);
  const { code = "", message } = problem as NodeJS.ErrnoException;
  return FILE_PROBLEMS.get(code) ?? message;
}

/** Where a file is saved. */
export interface SaveTarget {
  /** An absolute path, with links followed. */
  readonly target: string;
  /** The temporary path beside it, at which the file is written first. */
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
  if (requestedPath.endsWith(sep) || requestedPath.endsWith("/")) {
    throw refusedPath(operation, requestedPath, "is a folder");
  }
  if (existing !== undefined) isRegularFile(operation, requestedPath, existing);
  return { target, partial: join(folder, `.${randomUUID()}.part`) };
}

/** Without following a link. Synchronous: a rejected `lstat` costs more CPU than the write of a small file. */
export const entryAt = (path: string): Stats | undefined => lstatSync(path, { throwIfNoEntry: false });

/** A symbolic link counts as none. Throws for a folder, a pipe (it would never end), a device or a socket. */
export function isRegularFile(operation: string, path: string, found = entryAt(path)): boolean {
  if (found === undefined || found.isSymbolicLink()) return false;
  if (found.isFile()) return true;
  throw refusedPath(operation, path, found.isDirectory() ? "is a folder" : "is not a file");
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
