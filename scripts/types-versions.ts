/**
 * `npx tsx scripts/types-versions.ts [VERSION…]`: compiles one program against the types of the packed package with each
 * TypeScript since 5.4, with several sets of compiler options. Without a version, it writes the table in
 * docs/runtimes.md. With `--check`, it fails instead if a version compiles otherwise.
 * `NOTETAKER_TARBALL` names a tarball to use instead of a new one.
 */
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { measureInto } from "./measure-into.js";
import { installedWith, versionOf } from "./runtimes/install.js";
import type { Project } from "./runtimes/project.js";
import { STRICT_OPTIONS } from "./types-versions/strict-options.js";

const VERSIONS = ["5.4", "5.5", "5.6", "5.7", "5.8", "5.9", "6", "7"];

interface Setting {
  type: "module" | "commonjs";
  options: Readonly<Record<string, unknown>>;
  /** The first version of TypeScript with these options, and the first that has retired them. */
  since?: number;
  until?: number;
}

const SETTINGS: Readonly<Record<string, Setting>> = {
  "`nodenext`": { type: "module", options: { module: "nodenext" } },
  "`node16`": { type: "commonjs", options: { module: "node16" } },
  "no `esModuleInterop`": { type: "commonjs", options: { module: "node16", esModuleInterop: false }, until: 6 },
  "`bundler`": {
    type: "module",
    options: { module: "esnext", moduleResolution: "bundler", exactOptionalPropertyTypes: false },
  },
  "no DOM": { type: "module", options: { module: "nodenext", lib: ["es2022"], types: ["node"] } },
  "`isolatedDeclarations`": {
    type: "module",
    options: { module: "nodenext", isolatedDeclarations: true, declaration: true, noEmit: false, outDir: "out" },
    since: 5.5,
  },
};

const PROGRAM = readFileSync(new URL("types-versions/program.ts", import.meta.url), "utf8");

const alias = (version: string) => `typescript${version.replace(".", "")}`;

async function compile(folder: string, version: string, { type, options, since = 0, until = 99 }: Setting) {
  const number = Number.parseFloat(version);
  if (number < since) return "unknown option";
  if (number >= until) return "retired option";
  const place = join(folder, "project");
  rmSync(place, { recursive: true, force: true });
  mkdirSync(place);
  writeFileSync(join(place, "package.json"), JSON.stringify({ type }));
  writeFileSync(join(place, "program.ts"), PROGRAM);
  const compilerOptions = { ...STRICT_OPTIONS, ...options };
  writeFileSync(join(place, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["program.ts"] }));
  const args = [join(folder, "node_modules", alias(version), "bin/tsc"), "-p", place];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: place, maxBuffer: 2 ** 26 }).catch(
    (error: { stdout: string }) => error,
  );
  const errors = stdout.split("\n").filter((line) => /error TS\d+/.test(line));
  const ours = errors.filter((line) => !line.includes("node_modules/zod/"));
  if (ours.length > 0) throw new Error(`${JSON.stringify(options)}:\n${ours.join("\n")}`);
  return errors.length > 0 ? "with `skipLibCheck`" : "yes";
}

async function measure({ name: version }: { name: string }, { tarball }: Project): Promise<string[]> {
  const packages = VERSIONS.map((one) => `${alias(one)}@npm:typescript@${one}`);
  const folder = installedWith(tarball, "typescript", [...packages, "@types/node@20"]);
  const cells: string[] = [];
  for (const setting of Object.values(SETTINGS)) cells.push(await compile(folder, version, setting));
  return [versionOf(folder, alias(version)), ...cells];
}

await measureInto({
  part: "typescript",
  head: ["TypeScript", ...Object.keys(SETTINGS)],
  tolerances: { TypeScript: "any" },
  items: VERSIONS.map((name) => ({ name })),
  measure,
});
