/** Folders in which programs run: inside `examples`, where they find the packed package and its frameworks. */
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";

export const examples = fileURLToPath(new URL("../..", import.meta.url));

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** A new folder, which is deleted at the end of the test file. */
export function runFolder(): string {
  const folder = mkdtempSync(join(examples, "test/.run-"));
  folders.push(folder);
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }');
  return folder;
}

/** A copy of `examples/recipes/NAME`, as its reader has it. */
export function recipeFolder(name: string): string {
  const folder = runFolder();
  cpSync(join(examples, "recipes", name), folder, { recursive: true });
  return folder;
}

/** The program of a package in the examples' or the repository's `node_modules`. */
export function programOf(path: string): string {
  const own = join(examples, "node_modules", path);
  return existsSync(own) ? own : join(examples, "../node_modules", path);
}
