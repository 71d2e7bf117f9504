/** Compiles programs with the types of the installed package. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inject } from "vitest";
import { STRICT_OPTIONS } from "../../scripts/types-versions/strict-options.js";
import { root } from "./run-program.js";

interface Project {
  /** The `type` in the package.json of the programs. */
  type?: "module" | "commonjs";
  /** The package of the compiler. The default is the native one, which takes a fifth of the time of TypeScript 5. */
  compiler?: string;
}

/** Compiles these files, by name, under the strictest options, and returns what the compiler reports. */
export function compile(
  files: Readonly<Record<string, string>>,
  options: object,
  { type = "module", compiler = "typescript7" }: Project = {},
): string {
  const folder = mkdtempSync(join(inject("installed"), "compile-"));
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  try {
    write("package.json", JSON.stringify({ type }));
    for (const [name, text] of Object.entries(files)) write(name, text);
    const compilerOptions = { ...STRICT_OPTIONS, ...options };
    write("tsconfig.json", JSON.stringify({ compilerOptions, files: Object.keys(files) }));
    const tsc = join(root, "node_modules", compiler, "bin/tsc");
    const { stdout, stderr, status } = spawnSync(process.execPath, [tsc, "-p", folder], { encoding: "utf8" });
    return status === 0 ? stdout : `${stdout}${stderr} (exit code ${status})`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
