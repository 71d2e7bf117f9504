/** Where a file is saved, and beside what name it is written first. */
import { randomUUID } from "node:crypto";
import { access, constants, realpath, stat } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
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
  const refuse =
    (place: string) =>
    (error: unknown): never => {
      throw refusedPath(operation, place, error);
    };
  const target = await realpath(given).catch(() => resolve(given));
  const folder = dirname(target);
  // The folder first: what is wrong with it is wrong with all that is in it.
  const around = await stat(folder).catch(refuse(folder));
  if (!around.isDirectory()) throw refusedPath(operation, folder, "is not a folder");
  await access(folder, constants.W_OK).catch(refuse(folder));
  const there = await stat(target).catch((error) => (error.code === "ENOENT" ? undefined : refuse(given)(error)));
  if (there?.isDirectory() || given.endsWith(sep) || given.endsWith("/"))
    throw refusedPath(operation, given, "is a folder");
  return { target, partial: join(folder, `.${randomUUID()}.part`) };
}
