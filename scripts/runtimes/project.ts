/**
 * Makes a user's project: the packed tarball is installed in it, and it contains the program that runs in each runtime.
 */
import { execFile, execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { npm } from "./install.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export interface Project {
  readonly folder: string;
  readonly tarball: string;
  /** Runs a command, and resolves to its output. It is not synchronous, because the service runs in this process. */
  run(command: string, args: readonly string[], env?: Record<string, string>, cwd?: string): Promise<string>;
  /** Bundles `source` with its imports. Resolves to the path of the bundle. */
  bundle(source: string, file: string, format: "esm" | "iife"): Promise<string>;
  remove(): void;
}

/** The tarball that `NOTETAKER_TARBALL` names. Without it, the package is built and packed. */
function pack(folder: string): string {
  const { NOTETAKER_TARBALL } = process.env;
  if (NOTETAKER_TARBALL !== undefined) return NOTETAKER_TARBALL;
  execFileSync("npm", ["run", "build"], { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
  npm(folder, "pack", root, "--ignore-scripts");
  return join(folder, readdirSync(folder).find((name) => name.endsWith(".tgz")) as string);
}

export async function createProject(): Promise<Project> {
  const folder = mkdtempSync(join(tmpdir(), "notetaker-runtimes-"));
  const tarball = pack(folder);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  npm(folder, "install", tarball);
  copyFileSync(here("program.js"), join(folder, "program.js"));
  await build({
    entryPoints: [here("program.js")],
    outfile: join(folder, "program.cjs"),
    format: "cjs",
    logLevel: "error",
  });
  return {
    folder,
    tarball,
    async run(command, args, env = {}, cwd = folder) {
      const options = { cwd, env: { ...process.env, ...env }, timeout: 600_000, maxBuffer: 2 ** 26 };
      const { stdout } = await promisify(execFile)(command, args, options);
      return stdout.trim();
    },
    async bundle(source, file, format) {
      await build({
        stdin: { contents: source, resolveDir: folder },
        outfile: join(folder, file),
        bundle: true,
        format,
        platform: "neutral",
        mainFields: ["module", "main"],
        external: ["node:*"],
        logLevel: "error",
      });
      return join(folder, file);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
