/** The runtimes that run a file: Node, Bun and Deno. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { installed } from "./install.js";
import type { Project } from "./project.js";
import { type Runtime, resultsIn } from "./runtime.js";
import type { ProgramInput } from "./service.js";

const bin = (folder: string, name: string) => join(folder, "node_modules/.bin", name);

function writeProgram({ folder }: Project, input: ProgramInput): void {
  const call = `program(${JSON.stringify(input)}).then((results) => console.log(JSON.stringify(results)))`;
  writeFileSync(join(folder, "run.mjs"), `import { program } from "./program.js";\n${call};\n`);
  writeFileSync(join(folder, "run.cjs"), `const { program } = require("./program.cjs");\n${call};\n`);
  writeFileSync(join(folder, "run-esm.cjs"), `const { program } = require("./program.js");\n${call};\n`);
}

/** How the program is loaded in Node: by `import`, by `require` of CommonJS, or by `require` of an ES module. */
type ModuleSystem = "" | "CommonJS" | "require(esm)";

const FILES: Readonly<Record<ModuleSystem, string>> = {
  "": "run.mjs",
  CommonJS: "run.cjs",
  "require(esm)": "run-esm.cjs",
};

const node = (version: string, system: ModuleSystem = ""): Runtime => ({
  name: system === "" ? `Node ${version}` : `Node ${version}, ${system}`,
  async run(project, input) {
    const command = join(installed(`node-${version}`, [`node@${version}`]), "node_modules/node/bin/node");
    writeProgram(project, input);
    const output = await project.run(command, [FILES[system]]);
    return { version: (await project.run(command, ["--version"])).slice(1), results: resultsIn(output) };
  },
});

const bun: Runtime = {
  name: "Bun",
  async run(project, input) {
    const command = bin(installed("bun", ["bun"]), "bun");
    writeProgram(project, input);
    const output = await project.run(command, ["run.mjs"]);
    return { version: await project.run(command, ["--version"]), results: resultsIn(output) };
  },
};

const deno: Runtime = {
  name: "Deno",
  async run(project, input) {
    const command = bin(installed("deno", ["deno"]), "deno");
    writeProgram(project, input);
    const flags = ["run", "--node-modules-dir=manual", "--no-lock", "--allow-all"];
    const output = await project.run(command, [...flags, "run.mjs"]);
    const [, version = ""] = (await project.run(command, ["--version"])).split(/\s+/);
    return { version, results: resultsIn(output) };
  },
};

export const servers: readonly Runtime[] = [
  node("20.3.0"),
  node("20.3.0", "CommonJS"),
  node("20"),
  node("22"),
  node("24"),
  node("24", "require(esm)"),
  node("26"),
  bun,
  deno,
];
