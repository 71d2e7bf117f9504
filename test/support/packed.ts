/**
 * Packs the package once a run, built from the current sources, for tests that use it as a user does: installed from its
 * tarball.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";

const root = fileURLToPath(new URL("../..", import.meta.url));

declare module "vitest" {
  interface ProvidedContext {
    /** A folder with a project in which the packed tarball is installed. */
    installed: string;
    tarball: string;
  }
}

export default function setup(project: TestProject) {
  const folder = mkdtempSync(join(tmpdir(), "notetaker-sdk-"));
  const npm = (...args: string[]) =>
    execFileSync("npm", args, {
      cwd: folder,
      encoding: "utf8",
      // A separate cache, since HOME may be read-only.
      env: { ...process.env, npm_config_cache: join(folder, ".npm"), npm_config_update_notifier: "false" },
      stdio: ["ignore", "pipe", "pipe"],
      shell: process.platform === "win32",
    });

  execFileSync(process.execPath, ["scripts/prepare.mjs", "build"], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
  });
  npm("pack", root, join(root, "node_modules/ky"), join(root, "node_modules/zod"), "--ignore-scripts", "--silent");
  const packed = readdirSync(folder).filter((name) => name.endsWith(".tgz"));
  // ky and zod come from tarballs of their own, so that npm needs no registry.
  npm("init", "--yes");
  npm("install", ...packed.map((name) => `./${name}`), "--offline", "--no-audit", "--no-fund");

  project.provide("installed", folder);
  project.provide("tarball", join(folder, packed.find((name) => name.startsWith("notetaker-sdk-"))!));
  return () => rmSync(folder, { recursive: true, force: true });
}
