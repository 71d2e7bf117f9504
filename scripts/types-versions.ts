/**
 * `npx tsx scripts/types-versions.ts [VERSION]`: compiles one program against the types of the packed package with each
 * TypeScript since 5.4, with several sets of compiler options. Without a version, it writes the table in
 * docs/runtimes.md. With `--check`, it fails instead if the table is wrong: if a version compiles otherwise, or
 * instantiates a tenth more or fewer types. `NOTETAKER_TARBALL` names a tarball to use instead of a new one.
 */
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { installed, npm } from "./runtimes/install.js";
import { createProject } from "./runtimes/project.js";
import { STRICT_OPTIONS } from "./types-versions/strict-options.js";
import { putPart, table } from "./write-table.js";

const ALL_VERSIONS = ["5.4", "5.5", "5.6", "5.7", "5.8", "5.9", "6", "7"];
const isCheck = process.argv.includes("--check");
const requested = process.argv.slice(2).filter((name) => name !== "--check");
const VERSIONS = ALL_VERSIONS.filter((version) => requested.length === 0 || requested.includes(version));

interface Setting {
  name: string;
  /** The `type` in the package.json of the program. */
  type: "module" | "commonjs";
  options: Readonly<Record<string, unknown>>;
  /** The first version of TypeScript with these options. */
  since?: number;
}

const SETTINGS: readonly Setting[] = [
  { name: "`nodenext`", type: "module", options: { module: "nodenext" } },
  {
    name: "`node16`",
    type: "commonjs",
    options: { module: "node16", esModuleInterop: false },
  },
  {
    name: "`bundler`",
    type: "module",
    options: { module: "esnext", moduleResolution: "bundler", exactOptionalPropertyTypes: false },
  },
  { name: "no DOM", type: "module", options: { module: "nodenext", lib: ["es2022"], types: ["node"] } },
  {
    name: "`isolatedDeclarations`",
    type: "module",
    options: { module: "nodenext", isolatedDeclarations: true, declaration: true, noEmit: false, outDir: "out" },
    since: 5.5,
  },
];

const PROGRAM = readFileSync(fileURLToPath(new URL("types-versions/program.ts", import.meta.url)), "utf8");
const ZOD_ALONE = 'import * as z from "zod/mini";\nexport const schema: z.ZodMiniString = z.string();\n';

const alias = (version: string) => `typescript${version.replace(".", "")}`;

interface Compilation {
  /** The errors in our types and in the program. */
  errors: string;
  /** Whether there are errors in zod's types. */
  zodFails: boolean;
  /** A note about an option of the setting that this version has deprecated or removed. */
  options?: string;
  instantiations: number;
}

/** How to compile with a deprecated or removed option, by the compiler's message. */
const RETIRED: readonly { said: RegExp; note: string; mend(options: Record<string, unknown>): void }[] = [
  {
    said: /error TS5107: Option 'esModuleInterop=false' is deprecated/,
    note: 'with `ignoreDeprecations: "6.0"`',
    mend: (options) => {
      options.ignoreDeprecations = "6.0";
    },
  },
  {
    said: /error TS5108: Option 'esModuleInterop=false' has been removed/,
    note: "with `esModuleInterop` on",
    mend: (options) => {
      delete options.esModuleInterop;
    },
  },
];

async function runCompiler(folder: string, version: string, place: string, compilerOptions: object): Promise<string> {
  writeFileSync(join(place, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["program.ts"] }));
  const compiler = join(folder, "node_modules", alias(version), "bin/tsc");
  const args = [compiler, "-p", place, "--extendedDiagnostics"];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: place, maxBuffer: 2 ** 26 }).catch(
    (error: { stdout: string }) => error,
  );
  return stdout;
}

async function compile(folder: string, version: string, setting: Setting, program: string): Promise<Compilation> {
  const place = join(folder, "project");
  rmSync(place, { recursive: true, force: true });
  mkdirSync(place);
  writeFileSync(join(place, "package.json"), JSON.stringify({ type: setting.type }));
  writeFileSync(join(place, "program.ts"), program);
  const compilerOptions: Record<string, unknown> = { ...STRICT_OPTIONS, ...setting.options };
  let output = await runCompiler(folder, version, place, compilerOptions);
  const retired = RETIRED.find(({ said }) => said.test(output));
  if (retired !== undefined) {
    retired.mend(compilerOptions);
    output = await runCompiler(folder, version, place, compilerOptions);
  }
  const found = output.split("\n").filter((line) => /error TS\d+/.test(line));
  const isOfZod = (line: string) => line.includes("node_modules/zod/");
  const count = /^Instantiations:\s*(\d+)/m.exec(output)?.[1];
  return {
    errors: found.filter((line) => !isOfZod(line)).join("\n"),
    zodFails: found.some(isOfZod),
    ...(retired && { options: retired.note }),
    instantiations: Number(count ?? Number.NaN),
  };
}

async function main(): Promise<boolean> {
  const project = await createProject();
  const packages = ALL_VERSIONS.map((version) => `${alias(version)}@npm:typescript@${version}`);
  const folder = installed("typescript", [...packages, "@types/node@20"]);
  const rows: string[][] = [];
  let failed = false;
  try {
    for (const name of ["notetaker-sdk", "zod"])
      rmSync(join(folder, "node_modules", name), { recursive: true, force: true });
    npm(folder, "install", "--no-save", "--legacy-peer-deps", project.tarball);
    for (const version of VERSIONS) {
      const cells: string[] = [];
      let instantiations = Number.NaN;
      for (const setting of SETTINGS) {
        if (Number.parseFloat(version) < (setting.since ?? 0)) {
          cells.push("unknown option");
          continue;
        }
        const { errors, zodFails, options, instantiations: count } = await compile(folder, version, setting, PROGRAM);
        if (setting === SETTINGS[0]) instantiations = count;
        if (errors !== "") {
          failed = true;
          console.log(`TypeScript ${version}, ${setting.name}:\n${errors.slice(0, 2_000)}`);
        }
        const fine = zodFails ? "with `skipLibCheck`" : ["yes", options].filter(Boolean).join(", ");
        cells.push(errors === "" ? fine : "no");
      }
      const alone = await compile(folder, version, SETTINGS[0] as Setting, ZOD_ALONE);
      const manifest = readFileSync(join(folder, "node_modules", alias(version), "package.json"), "utf8");
      const exact = (JSON.parse(manifest) as { version: string }).version;
      rows.push([exact, ...cells, `${instantiations} (${alone.instantiations})`]);
      console.log(rows.at(-1)?.join(" | "));
    }
    await runStripped(project.folder, project.run);
  } finally {
    project.remove();
  }
  if (!failed && requested.length === 0) {
    const head = ["TypeScript", ...SETTINGS.map(({ name }) => name), "instantiations (`zod` alone)"];
    const tolerances = { TypeScript: "any", [head.at(-1) as string]: 0.1 } as const;
    const drift = putPart("docs/runtimes.md", "typescript", table(head, rows), isCheck ? tolerances : undefined);
    for (const line of drift) console.error(line);
    failed = drift.length > 0;
  }
  return failed;
}

/**
 * Runs the tour with Node's type stripping, which shows that its TypeScript is erasable. Relative imports are changed
 * to name the `.ts` files.
 */
async function runStripped(folder: string, run: (command: string, args: string[]) => Promise<string>): Promise<void> {
  const examples = fileURLToPath(new URL("../examples/", import.meta.url));
  for (const name of ["tour.ts", "tour", "support"])
    cpSync(join(examples, name), join(folder, name), { recursive: true });
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (name.includes("node_modules") || !name.endsWith(".ts")) continue;
    const source = readFileSync(join(folder, name), "utf8");
    writeFileSync(join(folder, name), source.replaceAll(/(from "\.[^"]*)\.js"/g, '$1.ts"'));
  }
  const node = join(installed("node-22", ["node@22"]), "node_modules/node/bin/node");
  const output = await run(node, ["--experimental-strip-types", "tour.ts"]);
  console.log(`the tour runs with its types stripped: ${output.split("\n").length} lines`);
}

process.exitCode = (await main()) ? 1 : 0;
