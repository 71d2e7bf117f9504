/**
 * `npm run reproducible`: builds and packs the package twice, each time in a new copy of the tracked files. Fails if
 * the two tarballs differ, and prints the files that differ.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

const run = (cwd: string, program: string, ...args: string[]) =>
  execFileSync(program, args, {
    cwd,
    encoding: "utf8",
    env: { ...process.env, npm_config_update_notifier: "false" },
    maxBuffer: 64 * 1024 * 1024,
    shell: process.platform === "win32",
  });
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

const tracked = run(root, "git", "ls-files", "-z").split("\0");

/**
 * Builds and packs in `folder`. The two folders have different names, so that a path in the tarball would be a
 * difference.
 */
function packIn(folder: string): { tarball: string; hash: string } {
  for (const path of tracked) if (path !== "") cpSync(join(root, path), join(folder, path));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
  run(folder, "npm", "run", "--silent", "build");
  run(folder, "npm", "pack", "--ignore-scripts", "--silent");
  const name = readdirSync(folder).find((file) => file.endsWith(".tgz"));
  if (name === undefined) throw new Error("npm pack wrote no tarball");
  const tarball = join(folder, name);
  return { tarball, hash: sha256(readFileSync(tarball)) };
}

/** The hash of each file of a tarball. */
function filesOf(tarball: string): Map<string, string> {
  const into = mkdtempSync(join(tmpdir(), "notetaker-packed-"));
  try {
    run(into, "tar", "-xzf", tarball);
    const files = readdirSync(into, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    return new Map(
      files.map(({ parentPath, name }) => {
        const path = join(parentPath, name);
        return [path.slice(into.length), sha256(readFileSync(path))];
      }),
    );
  } finally {
    rmSync(into, { recursive: true });
  }
}

const folders = ["one", "another-build"].map((name) => mkdtempSync(join(tmpdir(), `notetaker-${name}-`)));
try {
  const builds = folders.map(packIn);
  for (const { hash } of builds) console.log(`sha256 ${hash}`);
  const isSame = new Set(builds.map(({ hash }) => hash)).size === 1;
  if (!isSame) {
    const [first = new Map(), second = new Map()] = builds.map(({ tarball }) => filesOf(tarball));
    for (const path of new Set([...first.keys(), ...second.keys()])) {
      if (first.get(path) !== second.get(path)) console.log(`differs: ${path}`);
    }
  }
  console.log(isSame ? "the two tarballs are the same" : "the two tarballs differ");
  process.exitCode = isSame ? 0 : 1;
} finally {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}
