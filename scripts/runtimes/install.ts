/** Installs packages that only these scripts need, once, into a folder below the machine's temporary folder. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const cache = join(tmpdir(), "notetaker-sdk-runtimes");

export function npm(folder: string, ...args: string[]): void {
  execFileSync("npm", [...args, "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe"],
    shell: process.platform === "win32",
  });
}

/** The folder in which `packages` are installed. Delete it to get newer versions. */
export function installed(name: string, packages: readonly string[]): string {
  const folder = join(cache, name);
  const complete = join(folder, ".complete");
  if (existsSync(complete)) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
  npm(folder, "install", "--legacy-peer-deps", ...packages);
  writeFileSync(complete, "");
  return folder;
}

/** The same, with this package. It is installed again each time, so that it is always the current one. */
export function installedWith(tarball: string, name: string, packages: readonly string[]): string {
  const folder = installed(name, packages);
  rmSync(join(folder, "node_modules/notetaker-sdk"), { recursive: true, force: true });
  npm(folder, "install", "--no-save", "--legacy-peer-deps", tarball);
  return folder;
}

export const versionOf = (folder: string, name: string): string =>
  (JSON.parse(readFileSync(join(folder, "node_modules", name, "package.json"), "utf8")) as { version: string }).version;
