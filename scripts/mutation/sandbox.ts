/** Makes a copy of the repository whose sources contain the mutants. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** The current files of the repository, committed or not. */
export function filesOf(root: string): string[] {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"];
  const { stdout, status } = spawnSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 2 ** 26 });
  if (status !== 0) throw new Error("the mutants are made from the files that git knows: this folder is no clone");
  return stdout.split("\0").filter((path) => path !== "");
}

/** @returns the path of the copy, which replaces an earlier copy with this name */
export function copyRepository(root: string, name: string, written: { name: string; content: string }[]): string {
  const copy = join(tmpdir(), "notetaker-sdk-mutation", name);
  rmSync(copy, { recursive: true, force: true });
  const contents = new Map(written.map((file) => [file.name, file.content]));
  for (const path of filesOf(root)) {
    if (path.startsWith("site/") || path.startsWith("bench/")) continue;
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    const content = contents.get(path);
    if (content !== undefined) writeFileSync(join(copy, path), content);
    else cpSync(join(root, path), join(copy, path));
  }
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  return copy;
}
