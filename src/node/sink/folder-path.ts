/** Paths in the folder of an export. The content of the folder is not trusted: no path leads out of it. */
import { lstat, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { InvalidArgumentError } from "../../errors/invalid-argument-error.js";

const refused = (path: string, reason: string) => new InvalidArgumentError("folderSink", [{ path, message: reason }]);

/** The parts of a sink's path. Refuses a path that could lead out of the folder. */
function partsOf(path: string): string[] {
  const parts = path.split("/");
  const isUnsafe = (part: string) => part === "" || part === "." || part === ".." || /[\\:\0]/.test(part);
  if (parts.some(isUnsafe)) throw refused(path, "expected a relative path with parts divided by /, without . and ..");
  return parts;
}

/**
 * The place of `path` below `root`. Refuses a path that has a symbolic link as one of its folders, since that may lead
 * anywhere; `root` itself may be one. `create` makes the folders that are missing.
 */
export async function pathInFolder(root: string, path: string, { create = false } = {}): Promise<string> {
  const parts = partsOf(path);
  const place = join(root, ...parts);
  for (let depth = 1; depth < parts.length; depth++) {
    const folder = join(root, ...parts.slice(0, depth));
    if (await isLink(folder)) throw refused(path, `${folder} is a symbolic link, and is not followed`);
  }
  if (create) await mkdir(dirname(place), { recursive: true });
  return place;
}

/** Whether there is a symbolic link at `place`. */
export async function isLink(place: string): Promise<boolean> {
  const found = await lstat(place).catch(() => undefined);
  return found?.isSymbolicLink() ?? false;
}
