/** The packed package in an empty folder: both kinds of modules make calls, and a program with its types compiles. */
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { transform } from "esbuild";
import { expect, inject, onTestFinished, test } from "vitest";
import { startService } from "../../scripts/runtimes/service.js";
import { compile } from "../support/compile.js";
import { root } from "../support/run-program.js";

const installed = inject("installed");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const PROGRAM = read("scripts/runtimes/program.js");
const STEPS = [...PROGRAM.matchAll(/^ {2}async (\w+)\(/gm)].map(([, step = ""]) => step);

test.each([
  ["imported in an ES module", "mjs", "esm"],
  ["required in CommonJS", "cjs", "cjs"],
] as const)("can be %s, and does what the program of npm run runtimes does", async (_, extension, format) => {
  const { code } = await transform(PROGRAM, { format, platform: "node" });
  writeFileSync(join(installed, `program.${extension}`), code);
  const service = await startService();
  onTestFinished(() => service.close());
  const run = `
    import("./program.${extension}")
      .then(({ program }) => program(${JSON.stringify(service)}))
      .then((results) => console.log(JSON.stringify(results)));
  `;
  writeFileSync(join(installed, "smoke.mjs"), run);
  const { stdout } = await promisify(execFile)(process.execPath, ["smoke.mjs"], { cwd: installed, env: {} });
  expect(JSON.parse(stdout)).toEqual(Object.fromEntries(STEPS.map((step) => [step, "yes"])));
  expect(service.astray()).toBe(0);
});

test("has types that compile under the strictest options", () => {
  const program = read("scripts/types-versions/program.ts");
  expect(compile({ "program.ts": program }, { module: "nodenext" })).toBe("");
});
