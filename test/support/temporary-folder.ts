import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { onTestFinished } from "vitest";

/** In memory where the system has such a place, so that no test waits for a disk. */
const PLACE = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

/** A new folder, which is removed when the current test has ended. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(PLACE, "notetaker-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export async function filesIn(root: string, encoding: BufferEncoding = "utf8"): Promise<Record<string, string>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const read = paths.map(
    async (path) => [relative(root, path).replaceAll("\\", "/"), await readFile(path, encoding)] as const,
  );
  return Object.fromEntries(await Promise.all(read));
}
