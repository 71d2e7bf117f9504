/** Resolves paths in the folder of an export. The content of the folder is not trusted: no path may lead out of it. */
import { lstat, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { InvalidArgumentError } from "../../errors/argument-errors.js";

const refused = (path: string, reason: string) => new InvalidArgumentError("folderSink", [{ path, message: reason }]);

/** Splits a path of the sink into its parts. Refuses a path that could lead out of the folder. */
function partsOf(path: string): string[] {
  const parts = path.split("/");
  const isUnsafe = (part: string) => part === "" || part === "." || part === ".." || /[\\:\0]/.test(part);
  if (parts.some(isUnsafe)) throw refused(path, "expected a relative path with parts separated by /, without . and ..");
  return parts;
}

/**
 * The full path of `path` below `root`. Refuses a path with a symbolic link among its folders, because the link may
 * lead anywhere; `root` itself may be a link. `create` creates missing folders.
 */
export async function pathInFolder(root: string, path: string, { create = false } = {}): Promise<string> {
  const parts = partsOf(path);
  const fullPath = join(root, ...parts);
  for (let depth = 1; depth < parts.length; depth++) {
    const folder = join(root, ...parts.slice(0, depth));
    if (await isLink(folder)) throw refused(path, `${folder} is a symbolic link, and is not followed`);
  }
  if (create) await mkdir(dirname(fullPath), { recursive: true });
  return fullPath;
}

/** Whether `fullPath` is a symbolic link. */
export async function isLink(fullPath: string): Promise<boolean> {
  const found = await lstat(fullPath).catch(() => undefined);
  return found?.isSymbolicLink() ?? false;
}
