/** A recipe as its reader has it: copied into a separate folder, with the packed package and its frameworks. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, inject } from "vitest";
import { root } from "../../support/run-program.js";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

/**
 * Copies `examples/recipes/NAME` into a temporary folder, which is deleted at the end of the test file. `packages` are
 * linked by name from the repository's `node_modules`; the package itself is the packed one.
 */
export function recipeFolder(name: string, packages: readonly string[] = []): string {
  const folder = mkdtempSync(join(tmpdir(), `recipe-${name}-`));
  folders.push(folder);
  cpSync(join(root, "examples/recipes", name), folder, { recursive: true });
  const manifest = join(folder, "package.json");
  if (!existsSync(manifest)) writeFileSync(manifest, JSON.stringify({ private: true, type: "module" }));
  const link = (target: string, packageName: string) => {
    const path = join(folder, "node_modules", packageName);
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(target, path, "junction");
  };
  link(join(inject("installed"), "node_modules/notetaker-sdk"), "notetaker-sdk");
  for (const packageName of packages) link(join(root, "node_modules", packageName), packageName);
  return folder;
}
