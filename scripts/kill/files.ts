/** The files of a folder, and how they differ from those of an uninterrupted run. */
import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";

/** By path below `folder`, each file's bytes in base64. */
export async function filesIn(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = new Map<string, string>();
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath ?? entry.path, entry.name);
    files.set(relative(folder, path), await readFile(path, "base64"));
  }
  return files;
}

/** The files that are not as in the uninterrupted run, or are not there. */
export function differencesOf(found: ReadonlyMap<string, string>, clean: ReadonlyMap<string, string>): string[] {
  const paths = new Set([...found.keys(), ...clean.keys()]);
  return [...paths].filter((path) => found.get(path) !== clean.get(path)).map((path) => `${path} differs`);
}

/** A file that people see: neither one that is being written, nor one of the export's own account. */
const isVisible = (path: string) => !/(^|\/)\./.test(path);

/** The files with a name of their own that are not whole. Those that are not there yet are none of them. */
export function brokenIn(found: ReadonlyMap<string, string>, clean: ReadonlyMap<string, string>): string[] {
  const visible = [...found.keys()].filter(isVisible);
  return visible.filter((path) => found.get(path) !== clean.get(path)).map((path) => `${path} is not whole`);
}
