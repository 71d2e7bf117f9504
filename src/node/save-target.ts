/** Where a file is saved, and beside what name it is written first. */
import { randomUUID } from "node:crypto";
import { access, constants, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { filePath } from "./file-path.js";
import { refusedPath } from "./refused-path.js";

export interface SaveTarget {
  /** Absolute, links followed. */
  readonly target: string;
  /** In the same folder. */
  readonly partial: string;
}

/** Throws `InvalidArgumentError`, with the path, for a place where no file can be. */
export async function saveTarget(operation: string, path: string | URL): Promise<SaveTarget> {
  const given = filePath(operation, path);
  const target = await realpath(given).catch(() => resolve(given));
  if ((await stat(target).catch(() => undefined))?.isDirectory()) throw refusedPath(operation, given, "is a folder");
  const folder = dirname(target);
  await access(folder, constants.W_OK).catch((error) => {
    throw refusedPath(operation, folder, error);
  });
  return { target, partial: join(folder, `.${basename(target)}.${randomUUID()}.part`) };
}
