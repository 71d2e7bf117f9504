/** Runs the test files that docs/testing.md and docs/emulator.md show, unchanged. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { codeBlocks } from "../../test/support/code-blocks.js";
import { runProgram } from "../../test/support/run-program.js";
import { examples, programOf, runFolder } from "./support/run-folder.js";

const blocks = codeBlocks().filter(({ at }) => /^docs\/(testing|emulator)\.md/.test(at));
const flagged = (...flags: string[]) => blocks.filter(({ flag }) => flags.includes(flag));

/** jest, in a CommonJS file. */
const COMMONJS = "jest commonjs";
const REQUIRE = `import { createRequire } from "node:module"; const require = createRequire(import.meta.url);\n`;

describe("the guides to testing", () => {
  test("shows test files for vitest and jest that pass", () => {
    const recipes = flagged("vitest", "jest", COMMONJS);
    expect(recipes.map(({ flag }) => flag)).toContain("jest");
    const here = runFolder();
    // vitest can run jest's files if its functions are global.
    const config = `
      import { defineConfig } from "vitest/config";
      export default defineConfig({ test: { globals: true, include: ["*.test.*"], root: ${JSON.stringify(here)} } });
    `;
    writeFileSync(join(here, "vitest.config.ts"), config);
    for (const [index, { code, flag }] of recipes.entries()) {
      const isModule = flag !== COMMONJS;
      // vitest runs ES modules only.
      const text = isModule ? code : `${REQUIRE}${code}`;
      writeFileSync(join(here, `recipe-${index}.test.${flag === "vitest" ? "ts" : "js"}`), text);
    }
    const args = [programOf("vitest/vitest.mjs"), "run", "--root", here, "--config", join(here, "vitest.config.ts")];
    const ended = spawnSync(process.execPath, args, {
      cwd: here,
      encoding: "utf8",
      env: { ...process.env, NO_COLOR: "1" },
    });
    expect(ended.status, ended.stdout + ended.stderr).toBe(0);
    expect(ended.stdout).toMatch(new RegExp(`Test Files +${recipes.length} passed`));
  });

  test.each(flagged("node"))("shows a test file for node:test that passes, at $at", async ({ code }) => {
    const file = join(runFolder(), "recipe.test.ts");
    writeFileSync(file, code);
    const { exitCode, output } = await runProgram(file, [], {}, examples);
    expect(exitCode, output).toBe(0);
    expect(output).toMatch(/pass 1/);
  });
});
