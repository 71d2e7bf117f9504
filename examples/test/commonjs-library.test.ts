/** A CommonJS library and an ESM application: they compile without an error, and run with two copies of the package. */
import { expect, test } from "vitest";
import { runProgram } from "../../test/support/run-program.js";
import { emulatedAccount } from "./support/emulated-account.js";
import { recipeFolder } from "./support/run-folder.js";
import { typeErrors } from "./support/type-check.js";

test("an ESM application passes its client to a CommonJS library, which recognises the client's errors", async () => {
  const { env } = await emulatedAccount();
  const folder = recipeFolder("commonjs-library");
  expect(await typeErrors(folder)).toBe("");
  const { output, exitCode } = await runProgram("dist/app.mjs", [], env, folder);
  expect(exitCode, output).toBe(0);
  expect(output).toContain("Panel discussion.mp3 undefined\n");
  expect(output).toMatch(/Weekly product sync \{"\w+[^"]*":\d+,/);
});
