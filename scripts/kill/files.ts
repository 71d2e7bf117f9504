/** Reads the files of a folder, and compares them with those of an uninterrupted run. */
import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";

/** The bytes of each file in base64, by its path below `folder`. */
export async function filesIn(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = new Map<string, string>();
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath ?? entry.path, entry.name);
    files.set(relative(folder, path), await readFile(path, "base64"));
  }
  return files;
}

/** The differences to the uninterrupted run: missing, additional and different files. */
export function differencesOf(found: ReadonlyMap<string, string>, clean: ReadonlyMap<string, string>): string[] {
  const paths = new Set([...found.keys(), ...clean.keys()]);
  return [...paths].filter((path) => found.get(path) !== clean.get(path)).map((path) => `${path} differs`);
}

/** Whether people see the file. Temporary files and the export's own state are hidden. */
const isVisible = (path: string) => !/(^|\/)\./.test(path);

/** The visible files that are not complete. Missing files do not count. */
export function brokenIn(found: ReadonlyMap<string, string>, clean: ReadonlyMap<string, string>): string[] {
  const visible = [...found.keys()].filter(isVisible);
  return visible.filter((path) => found.get(path) !== clean.get(path)).map((path) => `${path} is not whole`);
}
