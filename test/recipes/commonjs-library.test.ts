/** A CommonJS library and an ESM application: they compile without an error, and run with two copies of the package. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root, runProgram } from "../support/run-program.js";
import { emulatedAccount } from "./support/emulated-account.js";
import { recipeFolder } from "./support/recipe-folder.js";

test("an ESM application passes its client to a CommonJS library, which recognises the client's errors", async () => {
  const { env } = await emulatedAccount();
  const folder = recipeFolder("commonjs-library", ["@types/node"]);
  const compiler = join(root, "node_modules/typescript7/bin/tsc");
  const { stdout, status } = spawnSync(process.execPath, [compiler, "-p", folder], { encoding: "utf8" });
  expect(stdout).toBe("");
  expect(status).toBe(0);
  const { output, exitCode } = await runProgram("dist/app.mjs", [], env, folder);
  expect(exitCode, output).toBe(0);
  expect(output).toContain("Panel discussion.mp3 undefined\n");
  expect(output).toMatch(/Weekly product sync \{"\w+[^"]*":\d+,/);
});
