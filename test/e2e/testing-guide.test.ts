/** Runs the test files that docs/testing.md shows, unchanged. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { codeBlocks } from "../support/code-blocks.js";
import { root, runProgram } from "../support/run-program.js";

const blocks = codeBlocks().filter(({ at }) => at.startsWith("docs/testing.md"));
const flagged = (...flags: string[]) => blocks.filter(({ flag }) => flags.includes(flag));

/** jest, in a CommonJS file. */
const COMMONJS = "jest commonjs";
const REQUIRE = `import { createRequire } from "node:module"; const require = createRequire(import.meta.url);\n`;

function folder(): string {
  const made = mkdtempSync(join(root, "test/.guide-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

describe("docs/testing.md", () => {
  test("shows test files for vitest and jest that pass", () => {
    const recipes = flagged("vitest", "jest", COMMONJS);
    expect(recipes.map(({ flag }) => flag)).toContain("jest");
    const here = folder();
    // vitest can run jest's files if its functions are global.
    const config = `
      import { defineConfig } from "vitest/config";
      import shared from "../../vitest.config.js";
      export default defineConfig({ resolve: shared.resolve, test: { globals: true, include: ["*.test.*"], root: ${JSON.stringify(here)} } });
    `;
    writeFileSync(join(here, "vitest.config.ts"), config);
    for (const [index, { code, flag }] of recipes.entries()) {
      const isModule = flag !== COMMONJS;
      // vitest runs ES modules only. `require` loads the package that was built for this test run.
      const text = isModule ? code : `${REQUIRE}${code}`;
      writeFileSync(join(here, `recipe-${index}.test.${flag === "vitest" ? "ts" : "js"}`), text);
    }
    const vitest = join(root, "node_modules/vitest/vitest.mjs");
    const args = [vitest, "run", "--root", here, "--config", join(here, "vitest.config.ts")];
    const ended = spawnSync(process.execPath, args, {
      cwd: here,
      encoding: "utf8",
      env: { ...process.env, NO_COLOR: "1" },
    });
    expect(ended.status, ended.stdout + ended.stderr).toBe(0);
    expect(ended.stdout).toMatch(new RegExp(`Test Files +${recipes.length} passed`));
  });

  test.each(flagged("node"))("shows a test file for node:test that passes, at $at", async ({ code }) => {
    const file = join(folder(), "recipe.test.ts");
    writeFileSync(file, code);
    const { exitCode, output } = await runProgram(file);
    expect(exitCode, output).toBe(0);
    expect(output).toMatch(/pass 1/);
  });
});
